// What the lessons share: their words, and hands whose tiles can be lit one by one.

import { get } from './api.js';
import { h } from './dom.js';
import { tileImage } from './tiles.js';
import { inLanguage, spoken } from './words.js';

let sections = {};
export let kinds = [];
export let levels = [];

/** Fetch the words of the language that is spoken now. */
export async function loadWords() {
  const language = spoken();
  const loaded = await get(inLanguage('/api/teach/words'));
  if (language !== spoken()) return; // another was chosen meanwhile
  sections = loaded.words;
  kinds = loaded.kinds;
  levels = loaded.levels;
}

/** A sentence of the lessons; `{fields}` are filled in. */
export function t(section, key, facts = {}) {
  const text = sections[section]?.[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (whole, name) => facts[name] ?? whole);
}

/** One tile; `name` false where its name is what is asked for. */
function tile(code, place, mark = '', name = true) {
  const image = tileImage(code, name);
  return h('span', { class: `tile ${mark}`, 'data-place': place }, image);
}

/**
 * A hand in the order of teach.places: concealed tiles, sets laid down, the winning tile, the
 * bonus tiles; every tile carries its place.
 */
export function drawnHand(hand) {
  let place = 0;
  const next = (code, mark) => {
    place += 1;
    return tile(code, place - 1, mark);
  };
  return h(
    'div',
    { class: 'hand-drawn' },
    h('span', { class: 'tiles' }, hand.concealed.map((code) => next(code))),
    hand.melds.map((meld) => h('span', { class: `tiles meld ${meld.kind}` },
      meld.tiles.map((code) => next(code)))),
    hand.winning && h('span', { class: 'tiles' }, next(hand.winning, 'wins')),
    hand.bonus.length > 0 && h('span', { class: 'tiles bonus' }, hand.bonus.map((c) => next(c))),
  );
}

/** The tile that is to be named: its picture without words. */
export const unnamed = (code) => h('div', { class: 'one-tile' }, tile(code, 0, '', false));

/** Light these places in everything under `root` that shows the hand; none darkens nothing. */
export function light(root, places) {
  const lit = new Set((places ?? []).map(String));
  for (const element of root.querySelectorAll('[data-place]')) {
    element.classList.toggle('lit', lit.has(element.dataset.place));
    element.classList.toggle('unlit', lit.size > 0 && !lit.has(element.dataset.place));
  }
}

/** Items with their sentences; pointing at one, or choosing it, lights its tiles. */
export function whyList(why, root) {
  let chosen = null;
  const row = (item) => h(
    'li',
    {},
    h(
      'button',
      {
        type: 'button',
        class: `why-item ${item.against ? 'against' : ''}`,
        'data-item': item.id,
        'aria-pressed': 'false',
        onpointerenter: () => light(root, item.places),
        onpointerleave: () => light(root, chosen?.places),
        onfocus: () => light(root, item.places),
        onblur: () => light(root, chosen?.places),
        onclick: (event) => {
          chosen = chosen === item ? null : item;
          for (const other of root.querySelectorAll('.why-item')) {
            other.setAttribute('aria-pressed', 'false');
          }
          event.currentTarget.setAttribute('aria-pressed', String(chosen === item));
          light(root, chosen?.places);
        },
      },
      h('span', { class: 'why-worth' }, item.worth),
      h(
        'span',
        {},
        item.against ? h('s', {}, item.name) : h('strong', {}, item.name),
        h('span', { class: 'item-text' }, item.against || item.text),
      ),
    ),
  );
  return [
    h('ul', { class: 'stack tight why' }, [...why.items, ...why.left_out].map(row)),
    h('p', { class: 'sum' }, why.sum),
  ];
}

/** The arrangement set by set. */
export function setsRow(why) {
  return h('div', { class: 'sets' }, why.sets.map((group) => h(
    'figure',
    { class: group.laid ? 'laid' : '' },
    h('span', { class: 'tiles' }, group.places.map((place) => tile(
      why.tiles[place],
      place,
      place === why.winning ? 'wins' : '',
    ))),
    h('figcaption', { class: 'small soft' }, group.name),
  )));
}

export const lines = (texts, tag = 'li') => h('ul', { class: 'stack tight' },
  texts.map((text) => h(tag, {}, text)));
