// Choosing a tile: the likely ones first, then all of them. Typing `5m` chooses too.

import { h } from './dom.js';
import { openSheet } from './sheet.js';
import { BACK, ROWS, tileImage } from './tiles.js';
import { say, tileName } from './words.js';

/**
 * @param {string} title
 * @param {Array<{tile: string, p?: number}>} likely first choices
 * @param {object} more {remove: true} offers to remove, {back: true} a tile lying face down
 * @returns {Promise<string|undefined>} a tile code, 'remove', or nothing
 */
export function pickTile(title, likely = [], more = {}) {
  return openSheet(title, (close) => {
    listenForCodes(close);
    return h(
      'div',
      { class: 'stack' },
      likely.length > 0 && h('div', {},
        h('h3', {}, say('likely')),
        h('div', { class: 'likely' }, likely.map(({ tile, p }) => h(
          'button',
          { type: 'button', 'data-tile': tile, onclick: () => close(tile) },
          h('span', { class: 'tile' }, tileImage(tile, false)),
          h('span', { class: 'small' }, tileName(tile)),
          p !== undefined && h('span', { class: 'small soft' }, percent(p)),
        )))),
      h('div', {},
        h('h3', {}, say('all-tiles')),
        tilePad(close, more.back)),
      more.remove && h('button', {
        type: 'button',
        class: 'danger',
        onclick: () => close('remove'),
      }, say('remove-tile')),
    );
  });
}

const percent = (p) => (p < 0.005 ? '<1 %' : `${Math.round(p * 100)} %`);

/** All tiles as buttons. `held` (counts) greys out what is used up; `limit` by face. */
export function tilePad(chosen, back = false, full = () => false) {
  const rows = Object.values(ROWS);
  return h('div', { class: 'picker' }, rows.map((codes, k) => h(
    'div',
    { class: 'picker-row' },
    [...codes, ...(back && k === 3 ? [BACK] : [])].map((code) => h(
      'button',
      {
        type: 'button',
        class: 'tile',
        id: `pad-${code}`,
        'data-tile': code,
        disabled: full(code),
        onclick: () => chosen(code),
      },
      tileImage(code),
    )),
  )));
}

function listenForCodes(close) {
  let digit = '';
  const listen = (event) => {
    if (!document.querySelector('dialog[open]')) {
      document.removeEventListener('keydown', listen);
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (/^[0-9]$/.test(event.key)) digit = event.key;
    else if (digit && /^[mpszfb]$/.test(event.key)) {
      const code = digit + event.key;
      const known = Object.values(ROWS).flat().includes(code) || code === BACK;
      digit = '';
      if (!known) return;
      document.removeEventListener('keydown', listen);
      close(code);
    }
  };
  document.addEventListener('keydown', listen);
}
