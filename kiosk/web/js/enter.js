// A hand by hand, without a camera: tap tiles or type the hand text; the score follows at once.

import { get, post } from './api.js';
import { bookWin, edit, factsOfWin, winBody } from './book.js';
import { byId, h, later, show } from './dom.js';
import { editor } from './editor.js';
import { allRules, factsPanel, namesOf, rebased, rulesOf, situationOf, withAnswer } from './facts.js';
import {
  CONCEALED, WINNING, addSet, addTile, countHand, emptyModel, modelOfText, moveTiles,
  textOfModel,
} from './handmodel.js';
import { eventText } from './history.js';
import { tilePad } from './picker.js';
import { questionChips, withGiver } from './questions.js';
import { scoreCard } from './receipt.js';
import { compareSheet } from './readingview.js';
import { start, table, tellTrouble, troubleText } from './shell.js';
import { counts, isBonus, isSuited, readHand } from './tiles.js';
import { heldNote, winButtons } from './together.js';
import { inLanguage, onLanguage, say, spoken } from './words.js';

const MODES = [CONCEALED, 'chow', 'pung', 'kong', 'concealed-kong', WINNING];
const state = { model: emptyModel(), situation: {}, rules: 'taiwan', mode: CONCEALED, turn: 0 };
let rulesList = [];
let editing = null; // the event that is put right
const toEdit = Number(/^#edit=(\d+)$/.exec(location.hash)?.[1]);
byId('form').inert = Boolean(toEdit); // nothing is said of a hand that is not there yet

async function begin() {
  const { config } = await start();
  state.rules = config?.values.rules ?? 'taiwan';
  rulesList = await allRules().catch(() => []);
  if (toEdit) await loadEdit();
  table.listen(moved);
  onLanguage(() => {
    table.follow();
    draw();
    score();
  });
  table.follow();
  draw();
  score();
}

/** The table is known, or somebody has booked: what was said of seats may mean others now. */
function moved() {
  const { state: now } = table;
  if (state.booking || now.length === state.length) return;
  if (now.night && now.rules?.id && state.length === undefined) state.rules = now.rules.id;
  state.length = now.length;
  if (!editing) {
    state.situation = rebased(state.situation, state.names, now);
    state.names = namesOf(now);
  }
  draw();
  score();
}

/** `#edit=12`: the hand of event 12 is put right. */
async function loadEdit() {
  const { history } = await get(inLanguage('/api/table?last=2000'));
  editing = history.find((event) => event.no === toEdit && isHand(event)) ?? null;
  if (!editing) {
    location.replace('/phone#table');
    return;
  }
  state.names = editing.facts.seats;
  editWinner(editing.body.winners.findIndex((winner) => winner.hand));
  byId('form').inert = false;
}

const isHand = ({ kind, body }) => kind === 'win' && body.winners.some((winner) => winner.hand);

/** Of several winners one hand is put right at a time. */
function editWinner(which) {
  const { body, facts: { seats, round, dealer, streak } } = editing;
  const seatOf = (player) => Object.keys(seats).find((seat) => seats[seat] === player);
  state.which = which;
  state.model = modelOfText(body.winners[which].hand);
  state.situation = {
    round, dealer: seatOf(dealer), streak, ...factsOfWin(body, which, seatOf),
  };
}

function editNote() {
  const { winners } = editing.body;
  return [
    h('p', { class: 'notice' }, say('putting-right', { what: eventText(editing) })),
    winners.length > 1 && h('fieldset', { class: 'stack tight' }, h('legend', {}, say('whose-hand')),
      h('div', { class: 'chips' }, winners.map((winner, place) => winner.hand && h('button', {
        type: 'button',
        id: `whose-${place}`,
        'aria-pressed': String(place === state.which),
        onclick: () => {
          editWinner(place);
          draw();
          score();
        },
      }, winner.player)))),
  ];
}

const names = () => state.names ?? {};

function changed(model) {
  state.model = model;
  state.key = null;
  draw();
  score();
}

function situated(situation) {
  state.situation = situation;
  draw();
  score();
}

function draw() {
  const rules = rulesOf(state.rules);
  show(byId('modes'), h('fieldset', {}, h('legend', { class: 'small soft' }, say('tap-adds')),
    h('div', { class: 'chips' }, MODES.map((mode) => h('button', {
      type: 'button',
      id: `mode-${mode}`,
      'aria-pressed': String(state.mode === mode),
      onclick: () => {
        state.mode = mode;
        draw();
      },
    }, say(`kind-${mode}`))))));
  const held = counts(readHand(textOfModel(state.model)));
  const used = (code) => (held[code] ?? 0) >= (isBonus(code) ? 1 : 4)
    || Boolean(rules && !rules.tiles.includes(code));
  show(byId('pad'), tilePad(tapped, false, used));
  editor(byId('groups'), state.model, (model) => changed(model), false);
  factsPanel(byId('facts'), {
    situation: state.situation, rules: state.rules, names: names(), table: table.state,
    melds: readHand(textOfModel(state.model)).melds,
  }, situated);
  const field = byId('hand-text');
  if (document.activeElement !== field) field.value = textOfModel(state.model);
  show(byId('rules-choice'), editing && editNote(), rulesChoice());
  const need = rules ? (rules.sets * 3) + 2 : 17;
  byId('count').textContent = say('count', { have: countHand(state.model), need });
}

function rulesChoice() {
  return h('label', {}, say('rules'), h('select', {
    id: 'rules',
    onchange: (event) => {
      state.rules = event.target.value;
      state.situation = { ...state.situation, events: [] };
      draw();
      score();
    },
  }, rulesList.map((rules) => h('option', {
    value: rules.id, selected: rules.id === state.rules,
  }, rules.names[spoken()]))));
}

function tapped(code) {
  const { mode } = state;
  if (isBonus(code)) changed(addTile(state.model, code));
  else if (mode === CONCEALED) changed(addTile(state.model, code));
  else if (mode === WINNING) changed(winningTile(code));
  else {
    const tiles = setOf(mode, code);
    if (tiles) changed(addSet(state.model, mode, tiles));
  }
}

function winningTile(code) {
  const rules = rulesOf(state.rules);
  const full = countHand(state.model) >= (rules ? (rules.sets * 3) + 2 : 17);
  const hand = state.model.groups.find((group) => group.kind === CONCEALED);
  const own = hand.tiles.find((key) => state.model.tiles[key].tile === code);
  const target = state.model.groups.find((group) => group.kind === WINNING);
  if (full && own) return moveTiles(state.model, [own], target.key);
  const fresh = addTile(state.model, code);
  const home = fresh.groups.find((group) => group.kind === CONCEALED);
  const key = home.tiles.filter((one) => fresh.tiles[one].tile === code).at(-1);
  return moveTiles(fresh, [key], fresh.groups.find((group) => group.kind === WINNING).key);
}

/** The tiles of a set that is named by one of its tiles; a chow by its lowest. */
function setOf(kind, code) {
  if (kind !== 'chow') return Array(kind === 'pung' ? 3 : 4).fill(code);
  if (!isSuited(code)) return null;
  const low = Math.min(7, Number(code[0]));
  return [0, 1, 2].map((step) => `${low + step}${code[1]}`);
}

const score = later(120, async () => {
  state.turn += 1;
  const { turn } = state;
  const place = byId('score');
  const hand = textOfModel(state.model).trim();
  if (!hand) {
    show(place, h('p', { class: 'card soft' }, say('enter-hint')));
    show(byId('next'), heldNote(table.state, clear));
    return;
  }
  place.setAttribute('aria-busy', 'true');
  place.classList.add('stale');
  try {
    const result = await post(inLanguage('/api/scores'), {
      hand, situation: state.situation, rules: state.rules,
    });
    if (turn !== state.turn) return;
    const facts = {
      names: names(), winner: state.situation.seat, dealer: state.situation.dealer ?? 'E',
    };
    show(place, scoreCard(result, facts, [
      questionChips(withGiver(result.asks, result, state.situation), result.unit_name,
        (question, answer) => answered(question.id, answer), names()),
    ]));
    show(byId('next'), next(result));
  } catch (error) {
    if (turn !== state.turn) return;
    show(byId('next'));
    show(place, h('div', { class: 'card uncertain', role: 'alert' }, troubleText(error)));
  } finally {
    if (turn === state.turn) {
      place.removeAttribute('aria-busy');
      place.classList.remove('stale');
    }
  }
});

function answered(id, answer) {
  if (id === 'winning') changed(winningTile(answer));
  else {
    const situation = withAnswer(state.situation, id, answer);
    if (situation) situated(situation);
  }
}

function next(result) {
  const ready = result.certain && result.total !== null && result.payments;
  const night = table.state?.night && !table.state.whole_deals;
  state.key ??= `entered ${Date.now()} ${Math.random()}`; // one for each hand that is shown
  const bookable = ready && night;
  return h('div', { class: 'actions' },
    !editing && heldNote(table.state, clear),
    bookable && editing && h('button', {
      type: 'button', class: 'main-button', id: 'book', onclick: () => bookIt(result),
    }, say('edit')),
    bookable && !editing && winButtons(winBody(result.hand, state.situation, names()), table.state, {
      title: say('book-hand'), book: () => bookIt(result),
      another: () => {
        clear();
        window.scrollTo(0, 0);
      },
    }),
    h('button', {
      type: 'button',
      id: 'compare',
      onclick: () => compareSheet({
        hand: result.hand, situation: state.situation, rules: state.rules,
      }),
    }, say('compare')),
    h('button', { type: 'button', id: 'clear', onclick: clear }, say('clear')));
}

async function bookIt(result) {
  if (state.booking) return;
  const body = winBody(result.hand, state.situation, names());
  state.booking = true;
  const done = editing ? await edit(editing.no, 'win', withOthers(body))
    : await bookWin(body, state.length, state.key);
  state.booking = false;
  if (!editing) moved();
  if (!done) return;
  if (editing) location.href = '/phone#table';
  else clear();
}

/** The win with the hand that was put right among those of the other winners. */
function withOthers(body) {
  const { winners, note } = editing.body;
  const all = winners.map((winner, place) => (place === state.which ? body.winners[0] : winner));
  return { ...body, winners: all, ...(note ? { note } : {}) };
}

function clear() {
  state.situation = situationOf(table.state);
  byId('hand-text').value = '';
  changed(emptyModel());
}

byId('hand-text').addEventListener('input', (event) => changed(modelOfText(event.target.value)));

begin().catch(tellTrouble);
