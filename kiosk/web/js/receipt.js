// What a hand is worth: the receipt when it is certain; a range and what to say when it is not.
// The word "total" stands nowhere else, so that no number can be taken for a score too early.

import { h } from './dom.js';
import { seatMap, transferList } from './seatmap.js';
import { codesOf, tileRow } from './tiles.js';
import { say, spanText } from './words.js';

/**
 * The card of a result or reading. `table` is {names, winner, dealer}: names by seat letter.
 * `extra` are elements of the page's own (question chips, buttons).
 */
export function scoreCard(result, table = {}, extra = []) {
  const inside = card(result, table);
  return h('section', {
    class: `card receipt appear ${result.certain ? '' : 'uncertain'}`,
    'aria-live': 'polite',
    'data-certain': String(Boolean(result.certain)),
  }, inside, extra);
}

function card(result, table) {
  if (result.problems?.length) return noWin(result);
  return result.certain && result.total !== null ? certain(result, table) : notCertain(result);
}

function noWin(result) {
  return [
    h('h2', {}, say('not-a-win')),
    h('ul', { class: 'stack tight' }, result.problems.map((p) => h('li', {}, p.text))),
  ];
}

function notCertain(result) {
  const { range, unit_name: unit } = result;
  return [
    h('h2', {}, say('not-certain')),
    h('p', { class: 'span' }, range
      ? say(range[0] === range[1] ? 'would-be' : 'lies-between', { span: spanText(range, unit) })
      : say('no-range')),
  ];
}

function certain(result, table) {
  const unit = result.unit_name;
  const rows = result.items.map(itemRow);
  if (!rows.length) rows.push(h('tr', {}, h('th', { scope: 'row' }, say('no-item')), worth(0)));
  return [
    h('div', { class: 'row apart' },
      h('h2', {}, say('receipt')),
      h('span', { class: 'soft small' }, result.ruleset_name)),
    h(
      'table',
      {},
      h('caption', { class: 'only-read' }, say('receipt')),
      h('tbody', {}, rows),
      h('tfoot', {}, h(
        'tr',
        {},
        h('th', { scope: 'row' }, say('total'), cutNote(result, unit)),
        h('td', { class: 'worth total' }, String(result.total), ' ', h('small', {}, unit)),
      ), dealerLine(result, unit)),
    ),
    payments(result, table),
    leftOut(result),
  ];
}

function cutNote(result, unit) {
  if (result.uncut === null || result.uncut === result.total) return null;
  return h('div', { class: 'item-text' }, say('cut', { uncut: `${result.uncut} ${unit}` }));
}

function dealerLine(result, unit) {
  if (!result.dealer_line) return null;
  return h(
    'tr',
    { class: 'small' },
    h('th', { scope: 'row' }, say('dealer-line'), h('div', { class: 'item-text' },
      say('dealer-line-note'))),
    worth(`${result.dealer_line} ${unit}`),
  );
}

const worth = (text) => h('td', { class: 'worth' }, String(text));

function itemRow(row) {
  const codes = (row.tiles ?? []).flatMap(codesOf);
  return h(
    'tr',
    {},
    h(
      'th',
      { scope: 'row' },
      h('div', {}, row.name),
      h('div', { class: 'item-text' }, row.text),
      codes.length > 0 && codes.length < 14 && tileRow(codes),
    ),
    worth(row.count > 1 ? `${row.count} × ${row.value}` : row.value),
  );
}

/** Seat map and sentences; that it is not known where it is not. */
export function payments(result, { names = {}, winner, dealer }) {
  if (!result.payments) return h('p', { class: 'soft' }, say('payments-unknown'));
  return h(
    'section',
    { class: 'stack tight' },
    h('h3', {}, say('who-pays')),
    seatMap({ payments: result.payments, names, winner, dealer, transfers: result.transfers }),
    transferList(result.transfers, names),
  );
}

function leftOut(result) {
  if (!result.left_out?.length) return null;
  return h(
    'details',
    { id: 'left-out' },
    h('summary', {}, say('left-out')),
    h('ul', { class: 'stack tight small' }, result.left_out.map((row) => h(
      'li',
      {},
      h('strong', {}, row.name),
      ` ${row.count * row.value} · `,
      row.by ? say('included-in', { item: row.by_name }) : row.why,
    ))),
  );
}

/** The same hand under other rule sets: a line each. */
export function comparison(results) {
  return h('table', { class: 'compare' }, h('tbody', {}, results.map((result) => h(
    'tr',
    {},
    h('th', { scope: 'row' }, result.name),
    h('td', { class: 'worth' }, worthText(result)),
  ))));
}

export function worthText(result) {
  if (result.problems?.length) return say('worth-none');
  if (result.certain && result.total !== null) return `${result.total} ${result.unit_name}`;
  return result.range ? spanText(result.range, result.unit_name) : say('needs-facts');
}
