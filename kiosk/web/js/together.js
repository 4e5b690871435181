// Several winners on one discard: hands are put aside until the last one is there, then booked
// together. What is put aside stays while the pages of this tab change.

import { h, toast } from './dom.js';
import { say } from './words.js';

const KEPT = 'hupai-together';
const MOST = 3;

/** What is put aside in this night since the last event: {from, robbed, winners, …} or null. */
export function held(state) {
  const found = JSON.parse(sessionStorage.getItem(KEPT) ?? 'null');
  return found && found.night === state?.night && found.length === state.length ? found : null;
}

export const letGo = () => sessionStorage.removeItem(KEPT);

/** Put the winner of `body` aside with those before. */
function putAside(body, state) {
  const { night, length } = state;
  sessionStorage.setItem(KEPT, JSON.stringify({ ...joined(body, state), night, length }));
}

/** The body with the winners that were put aside before its own. */
export function joined(body, state) {
  return { ...body, winners: [...(held(state)?.winners ?? []), ...body.winners] };
}

/** What is known of another win on the same discard. */
export function heldFacts(state) {
  const others = held(state);
  if (!others) return {};
  const seatOf = (name) => state.seats.find(({ player }) => player === name)?.seat;
  return {
    self_drawn: false,
    from_seat: seatOf(others.from),
    robbed: Boolean(others.robbed),
    also_won: others.winners.map(({ player }) => seatOf(player)),
  };
}

const said = ({ winners, from }) => say('also-won-with', {
  players: winners.map(({ player }) => player).join(say('comma')), giver: from,
});

/** Who else has won on this discard, and a way to let them go; null where nobody has. */
export function heldNote(state, gone) {
  const others = held(state);
  if (!others) return null;
  return h('p', { class: 'notice', id: 'together' }, `${said(others)} `,
    h('button', {
      type: 'button',
      class: 'plain',
      id: 'let-go',
      onclick: () => {
        letGo();
        gone();
      },
    }, say('let-go')));
}

/**
 * The buttons that book the win `body`: `book()` books it, `another()`, where it is given, goes on to
 * the next winner of the same discard. A win that cannot go with those put aside has none.
 */
export function winButtons(body, state, { title, book, another }) {
  const others = held(state);
  const strange = others && (others.from !== body.from || Boolean(others.robbed) !== Boolean(body.robbed)
    || others.winners.some(({ player }) => player === body.winners[0].player));
  if (strange) return [h('p', { class: 'notice' }, say('not-together'))];
  const many = (others?.winners.length ?? 0) + 1;
  return [
    h('button', { type: 'button', class: 'main-button', id: 'book', onclick: book },
      many > 1 ? say('book-together', { n: many }) : title),
    another && body.from !== undefined && many < MOST && h('button', {
      type: 'button',
      id: 'also-won',
      onclick: () => {
        putAside(body, state);
        toast(said(held(state)), 8000);
        another();
      },
    }, say('also-won')),
  ];
}
