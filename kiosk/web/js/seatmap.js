// The four seats around the table, and who pays whom as arrows.

import { h, s } from './dom.js';
import { say, signed, windName } from './words.js';

export const WINDS = ['E', 'S', 'W', 'N'];
export const CHARACTER = { E: '東', S: '南', W: '西', N: '北' };
/** Middle of each place in a field of 100 × 80: East below, then against the clock. */
const PLACES = [[50, 67], [84, 40], [50, 13], [16, 40]];

/**
 * @param {object} facts payments and names by seat letter, winner, dealer, transfers, middle;
 *   all may be missing
 */
export function seatMap({ payments = null, names = {}, winner, dealer, transfers = [], middle }) {
  const winners = [winner].flat();
  const seats = WINDS.map((wind, place) => h(
    'div',
    {
      class: `seat ${winners.includes(wind) ? 'winner' : ''} ${wind === dealer ? 'dealer' : ''}`,
      'data-place': place,
    },
    h('span', { class: 'wind', 'aria-hidden': 'true' }, CHARACTER[wind]),
    h('span', { class: 'name' }, names[wind] ?? windName(wind)),
    payments && h('span', { class: 'amount' }, signed(payments[wind] ?? 0)),
    h('span', { class: 'only-read' }, roles(wind, winners, dealer).join(', ')),
  ));
  return h(
    'div',
    { class: 'seat-map', role: 'group', 'aria-label': say('seat-map') },
    arrows(transfers),
    seats,
    h('div', { class: 'middle' }, middle ?? ''),
  );
}

function roles(wind, winners, dealer) {
  const found = [];
  if (winners.includes(wind)) found.push(say('winner'));
  if (wind === dealer) found.push(say('dealer'));
  return found;
}

function arrows(transfers) {
  const lines = transfers.filter((t) => t.amount > 0).map(({ payer, payee }) => {
    const [from, to] = [PLACES[WINDS.indexOf(payer)], PLACES[WINDS.indexOf(payee)]];
    const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
    const at = (part) => from.map((v, k) => v + ((to[k] - v) * part));
    const [a, b] = [at(15 / length), at(1 - (15 / length))];
    const turn = (Math.atan2(b[1] - a[1], b[0] - a[0]) * 180) / Math.PI;
    return s(
      'g',
      {},
      s('line', { x1: a[0], y1: a[1], x2: b[0], y2: b[1] }),
      s('path', { d: 'M-4-2.4 1 0-4 2.4Z', transform: `translate(${b[0]} ${b[1]}) rotate(${turn})` }),
    );
  });
  return s('svg', { viewBox: '0 0 100 80', 'aria-hidden': 'true' }, lines);
}

/** The transfers as sentences, each with what it is made of. */
export function transferList(transfers, names) {
  return h('ul', { class: 'small stack tight' }, transfers.map((transfer) => h(
    'li',
    {},
    say('pays', {
      payer: names[transfer.payer] ?? windName(transfer.payer),
      payee: names[transfer.payee] ?? windName(transfer.payee),
      amount: transfer.amount,
    }),
    transfer.parts_text && h('span', { class: 'soft' }, ` (${transfer.parts_text})`),
  )));
}
