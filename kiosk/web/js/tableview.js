// The night at the table: who sits where with what, what happened, and what can be told by a tap.

import {
  beginNight, bookDraw, bookPenalty, bookPlayers, bookSeats, edit, settle, undo,
} from './book.js';
import { h, show } from './dom.js';
import { eventText } from './history.js';
import { seatMap } from './seatmap.js';
import { openSheet } from './sheet.js';
import { say, signed } from './words.js';
import { whereText } from './shell.js';

/** Show the table in `root`. */
export function tableView(root, state) {
  if (!state) return;
  if (!state.night) {
    show(root, noNight(state));
    return;
  }
  show(
    root,
    h('section', { class: 'card stack' },
      h('div', { class: 'row apart' }, h('h1', {}, say('table')),
        h('span', { class: 'soft small' }, state.ruleset_name)),
      h('p', {}, whereText(state)),
      state.finished && h('p', { class: 'notice' }, state.finished),
      totalsMap(state)),
    h('section', { class: 'card stack' },
      h('h2', {}, say('something-happened')),
      h('div', { class: 'actions' },
        !state.whole_deals && h('a', { class: 'button main-button', href: '/enter' }, say('enter-win')),
        act('draw', bookDraw),
        act('false-win', () => bookPenalty('false-wins')),
        act('penalty', () => bookPenalty('penalties')),
        act('change-seats', bookSeats),
        act('change-player', bookPlayers),
        act('undo', () => undo()),
        act('settle', settle),
        act('new-night', () => beginNight(state.seats.map((seat) => seat.player)))),
      state.whole_deals && h('p', { class: 'small soft' }, say('whole-deals'))),
    history(state),
  );
}

const act = (key, onclick) => h('button', { type: 'button', id: `act-${key}`, onclick }, say(key));

function noNight(state) {
  return h('section', { class: 'card stack' },
    h('h1', {}, say('table')),
    h('p', {}, say('no-night')),
    h('button', {
      type: 'button',
      class: 'main-button',
      id: 'act-new-night',
      onclick: () => beginNight(state.seats.map((seat) => seat.player)),
    }, say('new-night')));
}

/** Seats with what everybody has. */
export function totalsMap(state) {
  const by = (field) => Object.fromEntries(state.seats.map((seat) => [seat.seat, seat[field]]));
  return seatMap({
    payments: by('total'),
    names: by('player'),
    dealer: state.seats.find((seat) => seat.dealer)?.seat,
    middle: h('span', { class: 'round-mark' }, state.round_name),
  });
}

function history(state) {
  const events = [...state.history].reverse().filter((event) => event.kind !== 'start');
  return h('section', { class: 'card stack' },
    h('h2', {}, say('history')),
    events.length === 0 && h('p', { class: 'soft' }, say('nothing-yet')),
    h('ol', { class: 'history' }, events.map((event) => h(
      'li',
      { 'data-no': event.no },
      h('div', {},
        h('div', {}, eventText(event)),
        h('div', { class: 'small soft' }, payments(event.payments))),
      h('div', { class: 'deeds' },
        editable(event) && h('button', {
          type: 'button',
          class: 'plain',
          id: `edit-${event.no}`,
          onclick: () => change(event),
        }, say('edit')),
        h('button', {
          type: 'button',
          class: 'plain',
          id: `undo-${event.no}`,
          'aria-label': say('undo-this', { what: eventText(event) }),
          onclick: () => undo(event.no),
        }, say('undo'))),
    ))));
}

const payments = (paid) => Object.entries(paid ?? {}).filter(([, points]) => points)
  .map(([player, points]) => `${player} ${signed(points)}`).join(' · ');

const editable = ({ kind, body }) => kind === 'penalty' || kind === 'false-win'
  || (kind === 'win' && body.winners.some((winner) => winner.hand));

async function change(event) {
  if (event.kind === 'win') {
    location.href = `/enter#edit=${event.no}`;
    return;
  }
  const points = await openSheet(say('edit'), (close) => {
    const field = h('input', {
      type: 'number', id: 'points', min: 0, value: event.body.points ?? '', required: true,
    });
    return h(
      'form',
      {
        class: 'stack',
        onsubmit: (told) => {
          told.preventDefault();
          close(Number(field.value));
        },
      },
      h('p', {}, eventText(event)),
      h('label', {}, say('points-to-each'), field),
      h('button', { class: 'main-button' }, say('edit')),
    );
  });
  if (points !== undefined) await edit(event.no, event.kind, { ...event.body, points });
}
