// The fields of the facts that only some rules ask for.

import { h } from './dom.js';
import { pickTile } from './picker.js';
import { WINDS } from './seatmap.js';
import { codesOf, textOf, tileRow } from './tiles.js';
import { say, tileName, windName } from './words.js';

export function numberField(name, title, value, put, most = 99) {
  return h('label', {}, title, h('input', {
    type: 'number', id: `fact-${name}`, inputmode: 'numeric', min: 0, max: most, value: value ?? '',
    onchange: (event) => put({
      [name]: event.target.value === '' ? null : Math.min(most, Math.max(0, Number(event.target.value))),
    }),
  }));
}

/** The field of a fact that only some rules ask for. `melds` are the sets of the hand. */
export function ownFact(fact, situation, names, put, melds = []) {
  if (fact === 'missing_suit') {
    return chooser(fact, ['m', 'p', 's'], situation[fact], (value) => put({ [fact]: value }));
  }
  if (fact === 'red_fives') return numberField(fact, say('fact-red_fives'), situation[fact], put, 4);
  if (fact === 'wall_left') return numberField(fact, say('fact-wall_left'), situation[fact], put, 144);
  if (fact === 'seen') {
    const seen = { true: 'yes', false: 'no' }[situation.seen];
    return chooser(fact, ['yes', 'no'], seen, (said) => put({ seen: said && said === 'yes' }));
  }
  if (fact === 'sticks') return sticks(situation, names, put);
  if (fact === 'fed') return fed(situation, names, put, melds);
  if (fact === 'already_won') return manySeats(fact, situation, names, put);
  if (fact === 'dora' || fact === 'ura_dora') return tilesFact(fact, situation, put);
  return null;
}

/** One of a few answers; the chosen one is taken back by another tap. */
export function chooser(fact, values, chosen, put) {
  return h('fieldset', { class: 'stack tight' }, h('legend', {}, say(`fact-${fact}`)), h(
    'div',
    { class: 'chips' },
    values.map((value) => h('button', {
      type: 'button',
      id: `${fact}-${value}`,
      'aria-pressed': String(chosen === value),
      onclick: () => put(chosen === value ? null : value),
    }, say(`answer-${value}`))),
  ));
}

function manySeats(fact, situation, names, put) {
  const held = situation[fact] ?? [];
  return h('fieldset', { class: 'stack tight' }, h('legend', {}, say(`fact-${fact}`)), h(
    'div',
    { class: 'chips' },
    WINDS.map((wind) => h('button', {
      type: 'button',
      id: `${fact}-${wind}`,
      'aria-pressed': String(held.includes(wind)),
      onclick: () => put({
        [fact]: held.includes(wind) ? held.filter((one) => one !== wind) : [...held, wind],
      }),
    }, names[wind] ?? windName(wind))),
  ));
}

function tilesFact(fact, situation, put) {
  const held = codesOf(situation[fact] ?? '');
  const add = async () => {
    const code = await pickTile(say(`fact-${fact}`));
    if (code) put({ [fact]: textOf([...held, code]) });
  };
  return h('fieldset', { class: 'stack tight' }, h('legend', {}, say(`fact-${fact}`)), h(
    'div',
    { class: 'row' },
    tileRow(held),
    h('button', { type: 'button', id: `${fact}-add`, onclick: add }, say('add-tile')),
    h('button', {
      type: 'button',
      id: `${fact}-none`,
      'aria-pressed': String(situation[fact] === ''),
      onclick: () => put({ [fact]: '' }),
    }, say('answer-none')),
  ));
}

/** How many riichi sticks of each player lie on the table. */
function sticks(situation, names, put) {
  const held = situation.sticks ?? [];
  const count = (wind) => held.filter((one) => one === wind).length;
  const told = (wind, many) => put({
    sticks: WINDS.flatMap((one) => Array(one === wind ? many : count(one)).fill(one)),
  });
  return h('fieldset', { class: 'stack tight' }, h('legend', {}, say('fact-sticks')),
    h('div', { class: 'four' }, WINDS.map((wind) => h('label', {}, names[wind] ?? windName(wind),
      h('input', {
        type: 'number', id: `sticks-${wind}`, inputmode: 'numeric', min: 0, max: 9,
        value: count(wind),
        onchange: (event) => told(wind, Math.min(9, Math.max(0, Number(event.target.value)))),
      })))));
}

/** Who gave which open set, the oldest first: the newest may have to pay for all. */
function fed(situation, names, put, melds) {
  const told = situation.fed ?? [];
  const open = melds.filter((meld) => meld.kind !== 'concealed-kong')
    .map((meld) => textOf(meld.tiles));
  const free = open.filter((text) => !told.some((row) => row.slice(2) === text));
  if (!told.length && !open.length) return null;
  const player = (wind) => names[wind] ?? windName(wind);
  const set = h('select', { id: 'fed-set', 'aria-label': say('fed-set') },
    free.map((text) => h('option', { value: text }, codesOf(text).map(tileName).join(' '))));
  const seat = h('select', { id: 'fed-seat', 'aria-label': say('who') },
    WINDS.filter((wind) => wind !== situation.seat)
      .map((wind) => h('option', { value: wind }, player(wind))));
  return h('fieldset', { class: 'stack tight' }, h('legend', {}, say('fact-fed')),
    told.map((row, place) => h('div', { class: 'row' }, tileRow(codesOf(row.slice(2))),
      h('span', {}, player(row[0])),
      h('button', {
        type: 'button', class: 'plain', id: `fed-remove-${place}`, 'aria-label': say('fed-remove'),
        onclick: () => put({ fed: told.filter((_, other) => other !== place) }),
      }, '✕'))),
    free.length > 0 && h('div', { class: 'row' }, set, seat, h('button', {
      type: 'button',
      id: 'fed-add',
      onclick: () => put({ fed: [...told, `${seat.value}:${set.value}`] }),
    }, say('fed-add'))));
}
