// The facts of a win that no picture shows: who won, how, winds, and what happened.

import { get } from './api.js';
import { h, show } from './dom.js';
import { chooser, numberField, ownFact } from './facts-own.js';
import { CHARACTER, WINDS } from './seatmap.js';
import { heldFacts } from './together.js';
import { inLanguage, say, spoken, windName } from './words.js';

const REPLACED = ['claimed-kong', 'added-kong', 'concealed-kong', 'bonus'];

let rulesets = null;
let language = '';

/** All rule sets and presets, asked for once in each language that is spoken. */
export async function allRules() {
  const asked = spoken();
  if (asked !== language) {
    ({ rulesets } = await get(inLanguage('/api/rules')));
    language = asked;
  }
  return rulesets;
}

export const rulesOf = (id) => rulesets?.find((rules) => rules.id === id) ?? null;

/** What the table knows of the next hand, which may be another on the same discard. */
export function situationOf(table) {
  if (!table?.night) return {};
  const dealer = table.seats.find((seat) => seat.dealer);
  return {
    round: table.round, dealer: dealer?.seat ?? 'E', streak: table.streak, ...heldFacts(table),
  };
}

/** Names of the players by seat letter; empty where no night is played. */
export function namesOf(table) {
  if (!table?.night) return {};
  return Object.fromEntries(table.seats.map((seat) => [seat.seat, seat.player]));
}

/**
 * The situation after others have booked: round, dealer and streak of now. Where the players have
 * other seats than `before`, who won and from whom must be said again; without names `before` (the
 * table was not known yet) what was said of winds stays.
 */
export function rebased(situation, before, table) {
  const names = namesOf(table);
  const known = before && Object.keys(before).length > 0;
  const sameSeats = !known || WINDS.every((wind) => before[wind] === names[wind]);
  const fresh = { ...situation, ...situationOf(table) };
  return sameSeats ? fresh : { ...fresh, seat: null, from_seat: null };
}

/** The situation with an answered question; null where the answer is about the picture. */
export function withAnswer(situation, id, answer) {
  const yes = answer === 'yes';
  if (id.startsWith('event:')) {
    const event = id.slice(6);
    const events = new Set(situation.events ?? []);
    if (yes) events.add(event);
    else events.delete(event);
    const unknown = (situation.unknown_events ?? []).filter((one) => one !== event);
    return { ...situation, events: [...events], unknown_events: unknown };
  }
  if (id === 'self_drawn') return drawn(situation, yes);
  if (id === 'seen') return { ...situation, seen: yes };
  if (['streak', 'red_fives', 'wall_left'].includes(id)) {
    return { ...situation, [id]: Number(answer) };
  }
  if (id === 'fed') return { ...situation, fed: [...(situation.fed ?? []), answer] };
  if (id === 'dora') return { ...situation, dora: answer === 'none' ? '' : answer };
  const plain = ['seat', 'round', 'from_seat', 'dealer', 'replacement', 'missing_suit'];
  return plain.includes(id) ? { ...situation, [id]: answer } : null;
}

function drawn(situation, yes) {
  const events = (situation.events ?? []).filter((event) => !yes || event !== 'robbing-kong');
  return {
    ...situation, events, self_drawn: yes, from_seat: yes ? null : situation.from_seat,
    robbed: yes ? false : situation.robbed,
  };
}

/**
 * The panel. `state` is {situation, rules, names, table, melds}; `changed(situation)` is called at
 * once.
 * `brief` leaves it at who won and how.
 */
export function factsPanel(root, state, changed, brief = false) {
  const { situation, names } = state;
  const put = (facts) => changed({ ...situation, ...facts });
  const rules = rulesOf(state.rules);
  show(
    root,
    seatRow('winner', say('who-won'), situation.seat, names, (seat) => put({
      seat,
      from_seat: situation.from_seat === seat ? null : situation.from_seat,
    })),
    howRow(situation, names, changed),
    !brief && h('details', { id: 'more-facts', open: !state.table?.night },
      h('summary', {}, say('more-facts')),
      h('div', { class: 'stack' },
        seatRow('round', say('round-wind'), situation.round, {}, (round) => put({ round })),
        seatRow('dealer', say('dealer'), situation.dealer ?? 'E', names, (dealer) => put({ dealer })),
        numberField('streak', say('streak'), situation.streak ?? 0, put),
        (rules?.facts ?? []).map((fact) => ownFact(fact, situation, names, put, state.melds)),
        eventBoxes(rules, situation, put))),
  );
}

function seatRow(id, title, chosen, names, put) {
  return h('fieldset', { class: 'stack tight' }, h('legend', {}, title), h(
    'div',
    { class: 'seat-buttons' },
    WINDS.map((wind) => h(
      'button',
      {
        type: 'button',
        id: `${id}-${wind}`,
        'aria-pressed': String(wind === chosen),
        onclick: () => put(wind),
      },
      h('span', { class: 'wind-mark', 'aria-hidden': 'true' }, CHARACTER[wind]),
      h('span', { class: 'name' }, names[wind] ?? windName(wind)),
    )),
  ));
}

function howRow(situation, names, changed) {
  const own = situation.self_drawn === true;
  const others = WINDS.filter((wind) => wind !== situation.seat);
  return h('fieldset', { class: 'stack tight' }, h('legend', {}, say('how-won')), h(
    'div',
    { class: 'chips' },
    h('button', {
      type: 'button',
      id: 'how-drawn',
      'aria-pressed': String(own),
      onclick: () => changed(drawn(situation, true)),
    }, say('self-drawn')),
    others.map((wind) => h(
      'button',
      {
        type: 'button',
        id: `how-${wind}`,
        'aria-pressed': String(!own && situation.from_seat === wind),
        onclick: () => changed({ ...situation, self_drawn: false, from_seat: wind }),
      },
      say('from', { player: names[wind] ?? windName(wind) }),
    )),
    situation.self_drawn === false && h(
      'label',
      { class: 'check' },
      h('input', {
        type: 'checkbox',
        id: 'how-robbed',
        checked: Boolean(situation.robbed),
        onchange: (event) => changed(robbedAs(situation, event.target.checked)),
      }),
      say('robbed-kong'),
    ),
  ));
}

function robbedAs(situation, robbed) {
  const events = (situation.events ?? []).filter((event) => event !== 'robbing-kong');
  return { ...situation, robbed, events: robbed ? [...events, 'robbing-kong'] : events };
}

function eventBoxes(rules, situation, put) {
  const events = (rules?.events ?? []).filter(({ id }) => id !== 'robbing-kong');
  if (!events.length) return null;
  const held = new Set(situation.events ?? []);
  return h('details', { id: 'events' }, h('summary', {}, say('what-happened')), h(
    'fieldset',
    { class: 'event-boxes', 'aria-label': say('what-happened') },
    events.map(({ id, names }) => h(
      'label',
      { class: 'check' },
      h('input', {
        type: 'checkbox',
        id: `event-${id}`,
        checked: held.has(id),
        onchange: (event) => {
          if (event.target.checked) held.add(id);
          else held.delete(id);
          const drawn = held.has('kong-draw') ? situation.replacement : null;
          put({ events: [...held], replacement: drawn });
        },
      }),
      names[spoken()],
    )),
  ), held.has('kong-draw') && chooser('replacement', REPLACED, situation.replacement, (what) => {
    put({ replacement: what });
  }));
}
