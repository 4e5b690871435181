// Tiles and hand texts (docs/hand-text.md): drawings, groups from text, text from groups.

import { h } from './dom.js';
import { tileName } from './words.js';

const suit = (letter, n = 9) => Array.from({ length: n }, (_, i) => `${i + 1}${letter}`);

export const ROWS = {
  m: suit('m'),
  p: suit('p'),
  s: suit('s'),
  z: suit('z', 7),
  f: suit('f', 8),
};
export const BACK = '0b';
export const isBonus = (code) => code[1] === 'f';
export const isSuited = (code) => 'mps'.includes(code[1]);
const ORDER = 'mpszfb';

/** Numbers before letters hide the suit: sort by suit, then by number. */
export function byFace(a, b) {
  return ORDER.indexOf(a[1]) - ORDER.indexOf(b[1]) || a[0] - b[0];
}

/** The drawing of a tile; `label` false where the words stand beside it. */
export function tileImage(code, label = true) {
  return h('img', {
    src: `/static/tiles/${code}.svg`,
    alt: label ? tileName(code) : '',
    width: 300,
    height: 400,
    draggable: 'false',
  });
}

export const tile = (code, mark = '') => h('span', { class: `tile ${mark}` }, tileImage(code));

export const tileRow = (codes) => h('span', { class: 'tiles' }, codes.map((code) => tile(code)));

/** Tiles of a text such as `123m44z`; what is no tile is left out. */
export function codesOf(text) {
  const found = [];
  for (const [, digits, letter] of text.matchAll(/([0-9]+)\s*([mpszfb])/g)) {
    for (const digit of digits) found.push(digit + letter);
  }
  return found;
}

/** The text of tiles, each suit once: `123m44z`. */
export function textOf(codes) {
  let text = '';
  for (const letter of ORDER) {
    const digits = codes.filter((code) => code[1] === letter).map((code) => code[0]).sort();
    if (digits.length) text += digits.join('') + letter;
  }
  return text;
}

/** {concealed, melds: [{kind, tiles}], winning, bonus} of a hand text. */
export function readHand(text) {
  const melds = [];
  let rest = text.replace(/\[([^\]]*)\]|\(([^)]*)\)/g, (_, open, hidden) => {
    const tiles = codesOf(open ?? hidden);
    melds.push({ kind: open === undefined ? 'concealed-kong' : kindOf(tiles), tiles });
    return ' ';
  });
  let winning = null;
  rest = rest.replace(/@\s*([0-9][mpszb])/, (_, code) => {
    winning = code;
    return ' ';
  });
  const loose = codesOf(rest);
  return {
    concealed: loose.filter((code) => !isBonus(code)),
    melds,
    winning,
    bonus: loose.filter(isBonus),
  };
}

/** chow, pung or kong, as far as the tiles say it. */
export function kindOf(tiles) {
  const same = tiles.every((code) => code === tiles[0] || code === BACK);
  if (same) return tiles.length === 4 ? 'kong' : 'pung';
  return 'chow';
}

/** The hand text of such a hand. */
export function writeHand({ concealed, melds, winning, bonus }) {
  const sets = melds.filter((meld) => meld.tiles.length).map((meld) => {
    const inside = textOf(meld.tiles);
    return meld.kind === 'concealed-kong' ? `(${inside})` : `[${inside}]`;
  });
  const end = bonus.length ? ` ${[...bonus].sort(byFace).map((c) => c).join('')}` : '';
  return textOf(concealed) + sets.join('') + (winning ? `@${winning}` : '') + end;
}

/** How often each face is held in a hand. */
export function counts(hand) {
  const all = [...hand.concealed, ...hand.melds.flatMap((meld) => meld.tiles), ...hand.bonus];
  if (hand.winning) all.push(hand.winning);
  const held = {};
  for (const code of all) held[code] = (held[code] ?? 0) + 1;
  return held;
}
