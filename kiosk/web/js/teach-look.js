// The tile dictionary and the wind explainer.

import { get } from './api.js';
import { h, show } from './dom.js';
import { t } from './teach-parts.js';
import { tileImage } from './tiles.js';
import { inLanguage, windName } from './words.js';

const chosen = { seat: 'E', round: 'E' };

export async function tilesPanel(panel) {
  const { tiles } = await get(inLanguage('/api/teach/tiles'));
  show(panel, h('h2', {}, t('dictionary', 'head')), h('ul', { class: 'dictionary' }, tiles.map(
    (row) => h(
      'li',
      { class: 'card', 'data-tile': row.tile },
      h('span', { class: 'tile' }, tileImage(row.tile, false)),
      h(
        'div',
        { class: 'stack tight' },
        h('h3', {}, row.name, row.name === row.chinese ? null : ` ${row.chinese}`),
        h('p', {}, row.tell),
        h('p', { class: 'small soft' }, row.said),
        row.seat_text && h('p', { class: 'small' }, row.seat_text),
        row.alike_text && h('p', { class: 'small' }, row.alike_text),
      ),
    ),
  )));
}

export async function windsPanel(panel, rules) {
  const asked = new URLSearchParams({ ...chosen, rules });
  const found = await get(inLanguage(`/api/teach/winds?${asked}`));
  const choice = (name) => h('label', {}, t('page', name), h(
    'select',
    {
      id: `wind-${name}`,
      onchange: (event) => {
        chosen[name] = event.target.value;
        windsPanel(panel, rules);
      },
    },
    found.seats.map(({ seat }) => h('option', { value: seat, selected: seat === chosen[name] },
      windName(seat))),
  ));
  show(
    panel,
    h('h2', {}, t('winds', 'head')),
    h('div', { class: 'row teach-choices' }, choice('seat'), choice('round')),
    h('section', { class: 'card wind-table', 'aria-hidden': 'true' }, around(found.seats)),
    h('section', { class: 'card stack' }, found.yours.map((line) => h('p', {}, line))),
    h('section', { class: 'stack' }, found.lines.map((line) => h('p', {}, line))),
  );
}

/** The four seats as they sit, the player below; going round to the right, against the clock. */
function around(seats) {
  const first = seats.findIndex(({ seat }) => seat === chosen.seat);
  const sides = ['below', 'right', 'above', 'left'];
  return sides.map((side, step) => {
    const { seat, name, number } = seats[(first + step) % 4];
    const own = step === 0 ? `${t('winds', 'you')}: ` : '';
    return h('div', { class: `wind ${side}`, 'data-seat': seat }, `${own}${name} (${number})`);
  });
}
