// The hub: every table of the club live, and the standings of a season.

import { get } from './api.js';
import { byId, h, show } from './dom.js';
import { start, tellTrouble } from './shell.js';
import { inLanguage, onLanguage, say, windName } from './words.js';

const NUMBERS = ['nights', 'points', 'hands', 'won', 'self_drawn', 'dealt_in'];

let club = null;
let season = null;
let source = null;
const asked = { since: '', until: '' };

async function begin() {
  await start();
  follow();
  onLanguage(() => {
    follow();
    draw();
  });
  await standings();
}

/** The browser connects again by itself; what it gets first is the whole state. */
function follow() {
  source?.close();
  source = new EventSource(inLanguage('/api/club/events'));
  source.addEventListener('club', (event) => {
    const fresh = JSON.parse(event.data);
    if (fresh.problem) tellTrouble(new Error(fresh.problem.detail));
    else {
      club = fresh;
      draw();
    }
  });
  source.addEventListener('open', () => document.body.classList.remove('cut-off'));
  source.addEventListener('error', () => document.body.classList.add('cut-off'));
}

function draw() {
  if (club) {
    byId('sum').textContent = say('hub-sum', { tables: club.tables.length, deals: club.deals });
    show(byId('tables'), club.tables.map(card));
  }
  show(byId('season'), seasonPart());
}

function card(one) {
  const round = one.round && say('round-of', { wind: windName(one.round) });
  return h('section', { class: 'card stack tight', 'data-table': one.table },
    h('h2', {}, h('span', {}, say('hub-table', { table: one.table })),
      h('span', { class: 'small soft' }, round)),
    one.trouble && h('p', { class: 'notice bad' }, one.trouble),
    h('dl', { class: 'hub-seats' }, one.seats.map((seat) => [
      h('dt', {}, windName(seat.seat)),
      h('dd', {}, seat.player, seat.player === one.dealer && ` ${say('hub-dealer')}`),
      h('dd', { class: 'total' }, signed(seat.total))])),
    h('p', { class: 'small soft' }, one.finished ? say('hub-finished')
      : say('hub-deals', { deals: one.deals ?? 0 })));
}

const signed = (points) => (points > 0 ? `+${points}` : String(points));

async function standings() {
  const query = new URLSearchParams(asked);
  season = (await get(inLanguage(`/api/club/season?${query}`))).standings;
  draw();
}

function seasonPart() {
  const query = new URLSearchParams(asked);
  return [
    h('h2', {}, say('season')),
    h('form', { class: 'row', onsubmit: chosen }, ['since', 'until'].map((name) => h('label', {},
      h('span', {}, say(`season-${name}`)),
      h('input', { type: 'date', name, id: `season-${name}`, value: asked[name] }))),
    h('button', { type: 'submit' }, say('season-show'))),
    season?.length ? h('div', { class: 'scrolls', tabindex: 0, role: 'region', 'aria-label': say('season') },
      h('table', { class: 'season' },
        h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, say('season-place')),
          h('th', { scope: 'col', class: 'name' }, say('season-player')),
          NUMBERS.map((name) => h('th', { scope: 'col' }, say(`season-${name}`))))),
        h('tbody', {}, season.map((row) => h('tr', {}, h('td', {}, row.place),
          h('th', { scope: 'row', class: 'name' }, row.player),
          NUMBERS.map((name) => h('td', {}, name === 'points' ? signed(row[name]) : row[name])))))))
      : h('p', { class: 'soft' }, say('season-none')),
    h('a', { class: 'button', href: `/api/club/season.csv?${query}`, download: '' }, say('season-csv')),
  ];
}

function chosen(event) {
  event.preventDefault();
  for (const name of ['since', 'until']) asked[name] = event.target.elements[name].value;
  standings().catch(tellTrouble);
}

begin().catch(tellTrouble);
