// Booking a hand, and everything else that happens at a table. Each tap has a key of its own, so
// that a double tap or a request sent again books once.

import { freshKey, get, post } from './api.js';
import { h, toast } from './dom.js';
import { confirmSheet, openSheet } from './sheet.js';
import { joined, letGo } from './together.js';
import { table, tellTrouble } from './shell.js';
import { inLanguage, say, signed } from './words.js';

const underWay = new Set();

/** Book at `path` and say `done`; a tap while that is under way does nothing. Resolves with whether it is booked. */
export async function book(path, body, key = freshKey(), done = 'booked') {
  if (underWay.has(path)) return false;
  underWay.add(path);
  try {
    const answer = await sendTwice(`/api/table/${path}`, { ...body, key });
    table.take(answer.table);
    toast(say(done));
    return true;
  } catch (error) {
    tellTrouble(error);
    return false;
  } finally {
    underWay.delete(path);
  }
}

/** Once more with the same key where no answer came: it may have been booked. */
async function sendTwice(path, body) {
  try {
    return await post(inLanguage(path), body);
  } catch (error) {
    if (error.status !== undefined) throw error;
    return post(inLanguage(path), body);
  }
}

const PLAIN = [
  'events', 'replacement', 'missing_suit', 'wall_left', 'seen', 'dora', 'ura_dora', 'red_fives',
];

/** The body of a win: the hand text, its situation, players by their seats. */
export function winBody(handText, situation, names) {
  const winner = { player: names[situation.seat], hand: handText };
  for (const name of PLAIN) {
    const value = situation[name];
    if (value !== null && value !== undefined && value.length !== 0) winner[name] = value;
  }
  if (winner.events) {
    winner.events = winner.events.filter((event) => event !== 'robbing-kong');
    if (!winner.events.length) delete winner.events;
  }
  if (situation.fed?.length) {
    winner.fed = situation.fed.map((text) => {
      const [seat, tiles] = text.split(':');
      return { player: names[seat], tiles };
    });
  }
  if (situation.sticks?.length) winner.sticks = situation.sticks.map((seat) => names[seat]);
  const body = { winners: [winner] };
  if (situation.self_drawn === false) body.from = names[situation.from_seat];
  if (situation.robbed) body.robbed = true;
  return body;
}

/** The facts of one winner of a booked win, players by their seats: what `winBody` began from. */
export function factsOfWin({ winners, from, robbed }, which, seatOf) {
  const winner = winners[which];
  const plain = PLAIN.filter((name) => winner[name] !== undefined);
  return {
    ...Object.fromEntries(plain.map((name) => [name, winner[name]])),
    seat: seatOf(winner.player),
    self_drawn: from === undefined,
    from_seat: from === undefined ? null : seatOf(from),
    robbed: Boolean(robbed),
    events: winner.events ?? [],
    fed: (winner.fed ?? []).map(({ player, tiles }) => `${seatOf(player)}:${tiles}`),
    sticks: (winner.sticks ?? []).map(seatOf),
    also_won: winners.filter((one) => one !== winner).map(({ player }) => seatOf(player)),
  };
}

/** The key under which a read hand is booked at a table of `length` events. */
export const handKey = (id, length) => `hand ${id} ${length}`;

/**
 * The event that booked the hand of reading `id`, here or on another screen; null where none did,
 * or where it was taken back. `before` is what this answered last: an event may be too old to be
 * listed, or of the night before.
 */
export function bookedHand({ history, night }, id, before = null) {
  const found = history.find((event) => event.key?.startsWith(`hand ${id} `));
  if (found) return { ...found, night };
  const takenBack = before && before.night === night && (history[0]?.no ?? 0) <= before.no;
  return takenBack ? null : before;
}

/** Book a win with those on the same discard that were put aside. */
export async function bookWin(body, expected, key) {
  const done = await book('hands', { ...joined(body, table.state), expected }, key);
  if (done) letGo();
  return done;
}

/** Four names and a start. */
export async function beginNight(players) {
  const names = await openSheet(say('new-night'), (close) => {
    const fields = players.map((player, place) => h('input', {
      id: `player-${place}`, value: player, maxlength: 40, required: true, autocomplete: 'off',
    }));
    return h(
      'form',
      {
        class: 'stack',
        onsubmit: (event) => {
          event.preventDefault();
          close(fields.map((field) => field.value.trim()));
        },
      },
      h('p', { class: 'soft' }, say('new-night-about')),
      fields.map((field, place) => h('label', {}, say(`wind-${'ESWN'[place]}`), field)),
      h('button', { class: 'main-button', id: 'begin-night' }, say('begin')),
    );
  });
  if (names) await book('nights', { players: names });
}

export async function bookDraw() {
  if (await confirmSheet(say('draw'), h('p', {}, say('draw-about')), say('book-it'))) {
    await book('draws', { expected: table.state.length });
  }
}

/** A false win or a penalty: who, and how much. */
export async function bookPenalty(kind) {
  const players = table.state.seats.map((seat) => seat.player);
  const falseWin = kind === 'false-wins';
  const body = await openSheet(say(falseWin ? 'false-win' : 'penalty'), (close) => {
    const who = choice('offender', players);
    const to = choice('to', ['', ...players], say('to-everybody'));
    const points = h('input', {
      type: 'number', id: 'points', min: 0, max: 1000000, inputmode: 'numeric', required: !falseWin,
    });
    const done = (event) => {
      event.preventDefault();
      const told = { offender: who.value };
      if (points.value !== '') told.points = Number(points.value);
      if (!falseWin && to.value) told.to = to.value;
      close(told);
    };
    return h(
      'form',
      { class: 'stack', onsubmit: done },
      h('p', { class: 'soft' }, say(falseWin ? 'false-win-about' : 'penalty-about')),
      h('label', {}, say('who'), who),
      h('label', {}, say(falseWin ? 'points-if-needed' : 'points-to-each'), points),
      !falseWin && h('label', {}, say('to-whom'), to),
      h('button', { class: 'main-button', id: 'book-penalty' }, say('book-it')),
    );
  });
  if (body) await book(kind, body);
}

function choice(id, values, empty = '') {
  return h('select', { id }, values.map((value) => h('option', { value }, value || empty)));
}

/** Change seats: the same four in a new order. */
export async function bookSeats() {
  const players = table.state.seats.map((seat) => seat.player);
  const order = await openSheet(say('change-seats'), (close) => {
    const fields = players.map((player, place) => {
      const field = choice(`seat-${place}`, players);
      field.value = player;
      return field;
    });
    fields.forEach((field) => field.addEventListener('change', () => swap(fields, field, players)));
    return h(
      'form',
      {
        class: 'stack',
        onsubmit: (event) => {
          event.preventDefault();
          close(fields.map((field) => field.value));
        },
      },
      fields.map((field, place) => h('label', {}, say(`wind-${'ESWN'[place]}`), field)),
      h('button', { class: 'main-button', id: 'book-seats' }, say('book-it')),
    );
  });
  if (order) await book('seats', { players: order });
}

/** Whoever sat where the chosen player goes takes the place that is free now. */
function swap(fields, changed, players) {
  const missing = players.find((player) => !fields.some((field) => field.value === player));
  const twin = fields.find((field) => field !== changed && field.value === changed.value);
  if (twin && missing) twin.value = missing;
}

/** Somebody leaves, somebody else sits down. */
export async function bookPlayers() {
  const players = table.state.seats.map((seat) => seat.player);
  const body = await openSheet(say('change-player'), (close) => {
    const out = choice('out', players);
    const fresh = h('input', { id: 'in', maxlength: 40, required: true, autocomplete: 'off' });
    return h(
      'form',
      {
        class: 'stack',
        onsubmit: (event) => {
          event.preventDefault();
          close({ out: out.value, in: fresh.value.trim() });
        },
      },
      h('label', {}, say('leaves'), out),
      h('label', {}, say('sits-down'), fresh),
      h('button', { class: 'main-button', id: 'book-players' }, say('book-it')),
    );
  });
  if (body) await book('players', body);
}

/** What taking an event back would change, then yes or no. */
export async function undo(of = undefined) {
  await previewed('undo', of === undefined ? {} : { of }, say('undo'));
}

/** Put another event in the place of event `of`: shown first, then booked. */
export async function edit(of, kind, body) {
  return previewed('edits', { of, kind, body }, say('edit'));
}

async function previewed(path, body, title) {
  try {
    const { preview } = await post(inLanguage(`/api/table/${path}`), body);
    const yes = await confirmSheet(title, previewTable(preview), title);
    if (!yes) return false;
    const accepted = { ...body, ...preview.body, accept: true, expected: preview.length };
    return await book(path, accepted, freshKey(), path === 'undo' ? 'taken-back' : 'booked');
  } catch (error) {
    tellTrouble(error);
    return false;
  }
}

function previewTable(preview) {
  const before = preview.totals_before;
  const after = preview.totals_after;
  const players = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return h('table', { class: 'preview' },
    h('caption', {}, say('would-change', { n: preview.changes.length })),
    h('tbody', {}, players.map((player) => h(
      'tr',
      {},
      h('th', { scope: 'row' }, player),
      h('td', {}, before[player] === undefined ? '–' : signed(before[player])),
      h('td', {}, '→'),
      h('td', { class: before[player] === after[player] ? '' : 'changed' },
        after[player] === undefined ? '–' : signed(after[player])),
    ))));
}

/** Who pays whom at the end of the night. */
export async function settle() {
  try {
    const { payments } = await get('/api/table/settlement');
    await openSheet(say('settle'), () => h('div', { class: 'stack' }, payments.length
      ? h('ul', { class: 'stack settlement' }, payments.map((row) => h('li', {}, say('pays', {
        payer: row.payer, payee: row.payee, amount: row.money,
      }))))
      : h('p', {}, say('even'))));
  } catch (error) {
    tellTrouble(error);
  }
}
