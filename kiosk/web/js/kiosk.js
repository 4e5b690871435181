// The screen at the table: seats and totals in large type; when a hand settles before the camera,
// its picture, items and payments, one button to confirm and one to correct.

import { get } from './api.js';
import {
  beginNight, bookDraw, bookPenalty, bookWin, bookedHand, handKey, undo, winBody,
} from './book.js';
import { byId, h, show } from './dom.js';
import { allRules, factsPanel, namesOf, rebased } from './facts.js';
import { overlay } from './overlay.js';
import { eventText } from './history.js';
import { icon } from './icons.js';
import { questionChips } from './questions.js';
import { ReadingView } from './readingview.js';
import { scoreCard } from './receipt.js';
import { Session } from './session.js';
import { languageChoice, start, table, tellTrouble, themeButton, whereText } from './shell.js';
import { totalsMap } from './tableview.js';
import { heldFacts, heldNote, winButtons } from './together.js';
import { inLanguage, onLanguage, say } from './words.js';

const places = {};
let camera = {};
let session = null;
let correcting = null;
let number = -1;
let booked = null; // the event that booked the hand that is shown
let booking = false;
let info = null;
let base = { names: {}, length: undefined }; // the seats of the hand that is shown

async function begin() {
  for (const name of ['bar', 'table', 'hand', 'correct']) places[name] = byId(name);
  ({ session: info } = await start(true));
  await allRules().catch(() => {});
  correcting = new ReadingView(places.correct, backFromCorrecting, {
    again: 'back-to-screen',
    another: () => {
      correcting.close();
      putAway();
    },
  });
  table.listen(moved);
  onLanguage(() => {
    follow();
    session?.again().catch(tellTrouble);
    draw();
  });
  follow();
  await look().catch(tellTrouble);
}

function follow() {
  table.follow((state) => {
    camera = { ...camera, ...state };
    if (state.number !== number || !state.settled) look().catch(tellTrouble);
  });
}

/** Ask what lies before the camera. A hand that has been booked is not shown again. */
async function look() {
  const state = await get(inLanguage('/api/kiosk'));
  camera = state;
  if (state.number !== number || (!state.reading && !correcting.session)) {
    number = state.number;
    booked = table.state && state.reading ? bookedHand(table.state, state.reading.id) : null;
    base = seatsOf(booked);
    session = state.reading ? new Session(state.reading, draw, tellTrouble) : null;
    const others = heldFacts(table.state);
    if (session && !booked && others.also_won) session.facts({ ...session.situation, ...others });
  }
  draw();
}

/** The seats of the hand that is shown: those in which it was played, or those of now. */
const seatsOf = (event) => ({
  names: event?.facts.seats ?? namesOf(table.state), length: table.state?.length,
});

/** Somebody has booked, perhaps this hand; unless booked it is of the seats of now. */
function moved() {
  const { state } = table;
  if (session && !booking) {
    booked = bookedHand(state, session.id, booked);
    if (booked) base = seatsOf(booked);
    else if (state.length !== base.length) {
      session.situation = rebased(session.situation, base.names, state);
      base = seatsOf(null);
      session.send();
    }
  }
  draw();
}

function draw() {
  document.body.classList.toggle('with-hand', Boolean(session));
  show(places.bar, bar());
  if (table.state) show(places.table, tableSide());
  places.correct.hidden = !correcting.session;
  places.hand.hidden = Boolean(correcting.session);
  if (!correcting.session) show(places.hand, session ? handSide() : waiting());
}

function bar() {
  return [
    h('span', { class: 'brand' }, h('img', {
      src: '/static/icons/icon.svg', alt: '', width: 48, height: 48,
    }), '胡牌'),
    h('span', { class: 'where' }, whereText(table.state)),
    h('span', { class: 'row' }, languageChoice(), themeButton(), h('button', {
      type: 'button',
      id: 'full',
      'aria-label': say('full-screen'),
      onclick: () => (document.fullscreenElement ? document.exitFullscreen()
        : document.documentElement.requestFullscreen()).catch(() => {}),
    }, icon('full'))),
  ];
}

function tableSide() {
  const { state } = table;
  return [
    totalsMap(state),
    h('div', { class: 'actions' }, state.night ? [
      act('draw', bookDraw),
      act('false-win', () => bookPenalty('false-wins')),
      act('penalty', () => bookPenalty('penalties')),
      act('undo', () => undo()),
      h('a', { class: 'button', href: '/phone#table' }, say('more')),
    ] : act('new-night', () => beginNight(state.seats.map((seat) => seat.player)))),
    state.history.length > 0 && h('p', { class: 'last' }, say('last-event', {
      what: eventText(state.history.at(-1)),
    })),
  ];
}

const act = (key, onclick) => h('button', { type: 'button', id: `act-${key}`, onclick }, say(key));

function waiting() {
  const off = camera.camera === 'off' || !camera.camera;
  return h('section', { class: 'waiting stack' },
    heldNote(table.state, draw),
    camera.moved && h('p', { class: 'notice' }, say('camera-moved')),
    camera.trouble && h('p', { class: 'notice bad' }, camera.trouble),
    camera.away && h('p', { class: 'notice away' }, camera.away),
    off ? withoutCamera() : [
      h('h1', {}, say('show-hand')),
      h('img', { class: 'stream', src: '/stream.mjpg', alt: say('camera-picture') })],
    (camera.hints ?? []).slice(0, 1).map((hint) => h('p', { class: 'notice' }, hint.text)));
}

/** The QR code for phones, or how phones and a camera are let in. */
function withoutCamera() {
  return [
    h('div', { class: 'fan', 'aria-hidden': 'true' }, ['1m', '9p', '1s', '7z', '6z'].map(
      (code) => h('img', { src: `/static/tiles/${code}.svg`, alt: '' }),
    )),
    h('h1', {}, say(info?.address ? 'scan-with-phone' : 'kiosk-alone')),
    info?.address ? h('img', { class: 'qr', src: '/qr.svg', alt: say('qr') })
      : h('p', { class: 'soft' }, say('kiosk-alone-about')),
    h('a', { class: 'button', href: '/enter' }, say('without-camera')),
  ];
}

function handSide() {
  const { reading, situation, stale } = session;
  const { names } = base;
  const facts = { names, winner: situation.seat, dealer: situation.dealer ?? 'E' };
  const ready = !stale && reading.certain && reading.payments && table.state?.night;
  const panel = ['seat', 'self_drawn', 'from_seat']; // the panel below asks these
  const open = reading.asks.filter((ask) => !panel.includes(ask.id));
  const asks = questionChips(open, reading.unit_name, (question, answer) => {
    session.answer(question.id, answer);
  }, names);
  const who = h('section', { class: 'card who' });
  factsPanel(who, { situation, rules: session.rules, names, table: table.state }, (told) => {
    session.facts(told);
  }, true);
  return [
    camera.trouble && h('p', { class: 'notice bad', role: 'alert' }, camera.trouble),
    h('figure', { class: 'picture' },
      h('img', { src: reading.links.picture, alt: say('photo-alt') }), overlay(reading)),
    stale ? h('p', { class: 'card', 'aria-busy': 'true' }, say('counting'))
      : scoreCard(reading, facts, [asks]),
    !booked && who,
    h('div', { class: 'actions' },
      !booked && heldNote(table.state, draw),
      ready && !booked && winButtons(body(), table.state, {
        title: say('confirm-hand'), book: confirm,
      }),
      booked && h('p', { class: 'notice good' }, say('booked')),
      h('button', { type: 'button', id: 'correct-hand', onclick: correct }, say('correct'))),
  ];
}

function body() {
  return winBody(session.reading.hand, session.situation, base.names);
}

/** This hand waits for the next winner's, which comes before the camera now. */
function putAway() {
  session = null;
  draw();
}

async function confirm() {
  if (booking || booked) return;
  booking = true; // meanwhile the table's own news change nothing here
  await bookWin(body(), base.length, handKey(session.id, base.length));
  booking = false;
  moved();
}

function correct() {
  correcting.open({ ...session.reading, situation: session.situation });
  draw();
}

function backFromCorrecting() {
  const held = correcting.session;
  session = held;
  session.changed = draw;
  session.failed = tellTrouble;
  booked = correcting.booked;
  correcting.close();
  draw();
}

begin().catch(tellTrouble);
