// A hand explained: written as text, or read from a photo whose tiles are then lit.

import { get, post, upload } from './api.js';
import { byId, h, s, show } from './dom.js';
import { tellTrouble } from './shell.js';
import { drawnHand, lines, setsRow, t, whyList } from './teach-parts.js';
import { readHand, tileRow } from './tiles.js';
import { inLanguage, windName } from './words.js';

const SEATS = ['E', 'S', 'W', 'N'];
const state = {
  hand: '66678m11333p555z[222z]@6m', seat: 'S', round: 'E', won: 'W', two: false, reading: null,
  told: null,
};
let asked = null; // the reading that the address named

export async function explainPanel(panel, rules) {
  if (state.rules !== rules || state.spoken !== document.documentElement.lang) state.told = null;
  state.rules = rules;
  state.spoken = document.documentElement.lang;
  const id = new URLSearchParams(location.search).get('reading');
  if (id && asked !== id) take(await get(inLanguage(`/api/readings/${id}`)));
  const fresh = asked !== id;
  asked = id;
  show(panel, form(panel), h('div', { id: 'explained', class: 'stack', 'aria-live': 'polite' }));
  if (id && fresh && isSure(state.reading)) {
    await explain();
    byId('explained').scrollIntoView();
  } else display();
}

/** Whether the tiles need no second look; facts of the win are chosen here anyway. */
const isSure = (reading) => !reading.unsure.length && !reading.doubts.length;

function take(reading) {
  state.reading = reading;
  state.hand = reading.hand;
  const facts = reading.situation ?? {};
  state.seat = facts.seat ?? state.seat;
  state.round = facts.round ?? state.round;
  if (facts.self_drawn !== null && facts.self_drawn !== undefined) {
    state.won = facts.self_drawn ? 'self' : facts.from_seat ?? state.won;
  }
  state.told = null;
}

function choice(id, label, options, value) {
  return h('label', {}, label, h(
    'select',
    { id, onchange: (event) => { state[id] = event.target.value; } },
    options.map(([code, name]) => h('option', { value: code, selected: code === value }, name)),
  ));
}

function form(panel) {
  const seats = SEATS.map((seat) => [seat, windName(seat)]);
  return h(
    'form',
    {
      class: 'card stack',
      id: 'explain-form',
      onsubmit: (event) => {
        event.preventDefault();
        explain();
      },
    },
    h('label', {}, t('page', 'hand'), h('input', {
      id: 'hand-text',
      value: state.hand,
      autocomplete: 'off',
      autocapitalize: 'off',
      spellcheck: 'false',
      oninput: (event) => {
        state.hand = event.target.value;
        state.reading = null;
      },
    }), h('span', { class: 'field-note' }, t('page', 'hand-help'))),
    h('label', { class: 'button' }, t('page', 'photo'), h('input', {
      type: 'file',
      id: 'hand-photo',
      accept: 'image/*',
      class: 'only-read',
      onchange: (event) => photo(panel, event.target.files[0]),
    })),
    h(
      'div',
      { class: 'row teach-choices' },
      choice('seat', t('page', 'seat'), seats, state.seat),
      choice('round', t('page', 'round'), seats, state.round),
      choice('won', t('page', 'won'), [
        ['self', t('page', 'by-draw')],
        ...seats.map(([seat, name]) => [seat, t('page', 'by-discard', { seat: name })]),
      ], state.won),
    ),
    h('label', { class: 'check' }, h('input', {
      type: 'checkbox',
      id: 'two',
      checked: state.two,
      onchange: (event) => { state.two = event.target.checked; },
    }), t('page', 'two')),
    h('button', { class: 'main-button', id: 'explain-it' }, t('page', 'explain-it')),
  );
}

/** What is chosen here, over what is known of the photographed hand. */
function situation() {
  const drawn = state.won === 'self' || state.won === state.seat;
  return {
    ...(state.reading?.situation ?? {}),
    ...(drawn ? { from_seat: null, robbed: false } : {}),
    seat: state.seat,
    round: state.round,
    self_drawn: drawn,
    ...(drawn ? {} : { from_seat: state.won }),
  };
}

async function photo(panel, file) {
  if (!file) return;
  const body = new FormData();
  body.append('picture', file);
  body.append('rules', state.rules);
  body.append('situation', JSON.stringify(situation()));
  try {
    take(await upload(inLanguage('/api/readings'), body));
    show(panel, form(panel), h('div', { id: 'explained', class: 'stack', 'aria-live': 'polite' }));
    if (isSure(state.reading)) await explain();
    else display();
  } catch (error) {
    tellTrouble(error);
  }
}

async function explain() {
  try {
    state.told = await post(inLanguage('/api/teach/explain'), {
      hand: state.hand, rules: state.rules, situation: situation(), two: state.two,
    });
    display();
  } catch (error) {
    tellTrouble(error);
  }
}

function display() {
  const { told } = state;
  const root = byId('explained');
  const { reading } = state;
  if (!told) {
    show(root, reading && !isSure(reading) && unsure(reading));
    return;
  }
  show(root, h(
    'section',
    { class: 'card stack' },
    state.reading && picture(state.reading, told.hand),
    drawnHand(told.hand),
    told.why && [
      h('h2', {}, t('page', 'why')),
      whyList(told.why, root),
      h('h3', {}, t('page', 'sets')),
      setsRow(told.why),
      h('h3', {}, t('page', 'payment')),
      lines(told.why.steps),
      told.why.others.length > 0 && [h('h3', {}, t('almost', 'other-ways')), lines(told.why.others)],
    ],
    told.asks && lines(told.asks),
    told.problems && noWin(told),
    told.outlook && lines(told.outlook),
  ), told.almost && near(told.almost, t('almost', 'one')), told.two && near(told.two, t(
    'almost',
    'two',
  )), told.waits && waiting(told.waits), told.discards && h(
    'section',
    { class: 'card stack' },
    h('h2', {}, t('page', 'discards')),
    lines(told.discards),
  ));
}

/** The photo, and which tiles to look at before the hand is explained. */
function unsure(reading) {
  const tiles = reading.unsure.map((row) => row.face).join(' ');
  return h(
    'section',
    { class: 'card stack', id: 'unsure' },
    h('p', {}, t('waits', 'unsure', { tiles: tiles || reading.hand })),
    picture(reading, readHand(reading.hand)),
  );
}

function near(rows, title) {
  return h(
    'section',
    { class: 'card stack' },
    h('h2', {}, t('almost', 'head')),
    h('h3', {}, title),
    rows.length === 0 && h('p', {}, t('almost', 'none')),
    h('ul', { class: 'stack tight' }, rows.map((row) => h(
      'li',
      { 'data-near': row.id, class: 'near' },
      h('strong', {}, row.name),
      ` ${row.worth} · ${row.total} ${row.unit} (${row.gain}) `,
      h('span', { class: 'row' }, tileRow(row.out), '→', tileRow(row.in)),
    ))),
  );
}

function waiting(rows) {
  return h(
    'section',
    { class: 'card stack' },
    h('h2', {}, t('waits', 'head')),
    h('ul', { class: 'stack tight' }, rows.map((row) => h(
      'li',
      { 'data-wait': row.tile, class: 'row' },
      tileRow([row.tile]),
      t('waits', 'line', {
        tile: row.name, left: row.left, kind: row.kind, by_discard: row.by_discard,
        by_draw: row.by_draw,
      }),
    ))),
  );
}

function noWin(told) {
  return [
    h('h2', {}, t('repair', 'head')),
    lines(told.problems),
    h('h3', {}, t('repair', 'groups')),
    h('div', { class: 'sets' }, told.groups.map((group) => h(
      'figure',
      { class: group.kind },
      tileRow(group.tiles),
      h('figcaption', { class: 'small soft' }, group.name),
    ))),
    told.repairs.length > 0 && [h('h3', {}, t('repair', 'repairs')), lines(told.repairs)],
  ];
}

/** The photo with an outline for every tile of the hand; the places are those of the drawing. */
function picture(reading, hand) {
  const { width, height } = reading;
  const places = placesIn(reading, hand);
  return h(
    'figure',
    { class: 'photo', id: 'photo' },
    h('img', { src: `/api/readings/${reading.id}/picture.jpg`, alt: t('page', 'photo'), width, height }),
    s('svg', { viewBox: `0 0 ${width} ${height}`, 'aria-hidden': 'true' }, places.map(
      (index, place) => (index === null ? null : s('polygon', {
        'data-place': place,
        points: reading.tiles[index].quad.map((corner) => corner.join(',')).join(' '),
      })),
    )),
  );
}

/** For each place of the drawn hand the tile of the picture, null where there is none. */
function placesIn(reading, hand) {
  const free = reading.groups.map((group) => ({ kind: group.kind, tiles: [...group.tiles] }));
  const wanted = [
    ...hand.concealed.map((code) => [code, ['concealed']]),
    ...hand.melds.flatMap((meld) => meld.tiles.map((code) => [code, [meld.kind]])),
    ...(hand.winning ? [[hand.winning, ['winning-tile', 'concealed']]] : []),
    ...hand.bonus.map((code) => [code, ['bonus']]),
  ];
  const isThat = (index, code) => [code, '0b'].includes(reading.tiles[index].tile);
  return wanted.map(([code, allowed]) => {
    for (const kind of allowed) {
      for (const group of free.filter((each) => each.kind === kind)) {
        const at = group.tiles.findIndex((index) => isThat(index, code));
        if (at >= 0) return group.tiles.splice(at, 1)[0];
      }
    }
    return null;
  });
}

