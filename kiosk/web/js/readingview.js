// A reading on the screen: picture with overlay, score or questions, facts, groups, what to do next.
// Used by the phone after a photo, by the live form when it has locked, and by the kiosk.

import { post } from './api.js';

import { bookWin, bookedHand, handKey, winBody } from './book.js';
import { h, show, toast } from './dom.js';
import { editor, rename } from './editor.js';
import { factsPanel, namesOf, rebased } from './facts.js';
import { overlay } from './overlay.js';
import { pickTile } from './picker.js';
import { questionChips, withGiver } from './questions.js';
import { comparison, scoreCard } from './receipt.js';
import { Session } from './session.js';
import { confirmSheet, openSheet } from './sheet.js';
import { table, tellTrouble, troubleText } from './shell.js';
import { readHand, tileRow } from './tiles.js';
import { heldNote, winButtons } from './together.js';
import { inLanguage, onLanguage, say, tileName } from './words.js';

/** The parts of the view live in these places; `done` leaves it. */
export class ReadingView {
  constructor(root, done, options = {}) {
    this.root = root;
    this.done = done;
    this.options = options;
    this.session = null;
    onLanguage(() => this.session?.again().catch(tellTrouble));
    table.listen(() => this.session && this.moved());
  }

  /** Somebody has booked: what was said of seats may mean other players now. */
  moved() {
    const { state } = table;
    if (this.booking) return;
    const before = this.booked;
    this.booked = bookedHand(state, this.session.id, before);
    if (Boolean(before) !== Boolean(this.booked)) this.draw();
    if (this.booked || state.length === this.length) return;
    this.length = state.length;
    const names = this.names;
    this.names = namesOf(state);
    this.session.facts(rebased(this.session.situation, names, state));
  }

  open(reading) {
    this.booked = table.state ? bookedHand(table.state, reading.id) : null;
    // The seats of this hand; booking it may turn them.
    this.names = this.booked?.facts.seats ?? namesOf(table.state);
    this.length = table.state?.length;
    this.trouble = null;
    this.parts = Object.fromEntries(['picture', 'score', 'next', 'groups', 'facts']
      .map((name) => [name, h('div', { class: `part-${name}` })]));
    show(this.root, Object.values(this.parts));
    this.session = new Session(reading, () => this.draw(), (error) => {
      this.trouble = error;
      this.draw();
    });
    this.image = h('img', { src: reading.links.picture, alt: say('photo-alt') });
    this.draw();
  }

  close() {
    this.session = null;
    this.root.replaceChildren();
  }

  draw() {
    const { session, parts } = this;
    const { reading } = session;
    if (!session.stale) this.trouble = null;
    show(parts.picture, h('figure', { class: 'picture' }, this.image,
      overlay(reading, (index) => this.tapped(index))));
    show(parts.score, this.trouble ? this.failed() : session.stale ? counting() : this.score());
    factsPanel(parts.facts, {
      situation: session.situation, rules: session.rules, names: this.names, table: table.state,
      melds: readHand(reading.hand ?? '').melds,
    }, (situation) => session.facts(situation));
    editor(parts.groups, session.model, (model, grouped) => session.edit(model, grouped));
    show(parts.next, this.next());
  }

  async tapped(index) {
    const { session } = this;
    const key = `r${index}`;
    if (session.model.tiles[key]) {
      await rename(key, session.model, (model, grouped) => session.edit(model, grouped));
      return;
    }
    const chosen = await pickTile(say('what-is-it', {
      tile: tileName(session.reading.tiles[index].tile),
    }));
    if (chosen) session.name(index, chosen);
  }

  failed() {
    return h('section', { class: 'card stack uncertain' },
      h('h2', {}, say('not-counted')),
      h('p', {}, troubleText(this.trouble)),
      h('button', { type: 'button', onclick: () => this.session.send() }, say('try-again')));
  }

  score() {
    const { reading, situation } = this.session;
    const facts = { names: this.names, winner: situation.seat, dealer: situation.dealer ?? 'E' };
    return scoreCard(reading, facts, [
      unsureList(reading, (index) => this.tapped(index)),
      questionChips(withGiver(reading.asks, reading, situation), reading.unit_name, (question, answer) => {
        this.session.answer(question.id, answer);
      }, this.names),
      !reading.certain && reading.notes.length > 0 && h('ul', { class: 'small soft' },
        reading.notes.map((note) => h('li', {}, note))),
      !reading.certain && adviceList(reading.advice),
      reading.away && h('p', { class: 'small soft away' }, reading.away),
    ]);
  }

  next() {
    const { reading, stale } = this.session;
    const night = Boolean(table.state?.night);
    const ready = !stale && reading.certain && reading.total !== null && reading.payments;
    const bookable = ready && night && !table.state.whole_deals && !this.booked;
    return h('div', { class: 'actions' },
      !this.booked && heldNote(table.state, () => this.draw()),
      bookable && winButtons(this.body(), table.state, {
        title: say('book-hand'), book: () => this.book(), another: this.options.another ?? this.done,
      }),
      this.booked && h('p', { class: 'notice good' }, say('booked')),
      ready && !night && h('a', { class: 'button', href: '/phone#table' }, say('begin-to-book')),
      reading.hand && h('button', { type: 'button', id: 'compare', onclick: () => this.compare() },
        say('compare')),
      this.options.explain && reading.hand && h('a', {
        class: 'button', id: 'explain', target: '_blank', href: this.explanation(),
      }, say('explain')),
      this.session.misread > 0 && h('button', { type: 'button', id: 'misread', onclick: () => this.teach() },
        say('misread')),
      this.done && h('button', { type: 'button', id: 'again', onclick: () => this.done() },
        say(this.options.again ?? 'another-photo')));
  }

  body() {
    const { reading, situation } = this.session;
    return winBody(reading.hand, situation, this.names);
  }

  async book() {
    if (this.booking || this.booked) return;
    this.booking = true;
    await bookWin(this.body(), this.length, handKey(this.session.id, this.length));
    this.booking = false;
    if (!this.session) return;
    this.moved();
    this.draw();
  }

  compare() {
    const { reading, situation, rules } = this.session;
    return compareSheet({ hand: reading.hand, situation, rules });
  }

  /** The practice page tells why; a tab of its own, since this hand may not be booked yet. */
  explanation() {
    const { id, rules } = this.session;
    return `/practice?${new URLSearchParams({ reading: id, rules })}#explain`;
  }

  async teach() {
    const yes = await confirmSheet(say('misread'), h('p', {}, say('misread-about')), say('consent'));
    if (!yes) return;
    try {
      const { learnt } = await post(`/api/readings/${this.session.id}/misread`, { consent: true });
      toast(say('learnt', { n: learnt }));
    } catch (error) {
      tellTrouble(error);
    }
  }
}

const counting = () => h('section', { class: 'card', 'aria-busy': 'true' },
  h('p', { class: 'soft' }, say('counting')), h('progress'));

/** "What would this be in…": the same tiles under the other rule sets with hands of that size. */
export async function compareSheet(request) {
  try {
    const result = await post(inLanguage('/api/scores'), { ...request, compare: true });
    await openSheet(say('compare'), () => h('div', { class: 'stack' },
      h('p', { class: 'soft small' }, say('compare-about')),
      comparison([{ ...result, name: result.ruleset_name }, ...result.compare])));
  } catch (error) {
    tellTrouble(error);
  }
}

function unsureList(reading, tapped) {
  if (!reading.unsure.length) return null;
  return h('section', { class: 'stack tight' },
    h('h3', {}, say('unsure-tiles')),
    h('ul', { class: 'unsure-list' }, reading.unsure.map((row) => h('li', {}, h(
      'button',
      { type: 'button', id: `unsure-${row.tile}`, onclick: () => tapped(row.tile) },
      h('span', { class: 'tile unsure' }, tileRow([row.face]).firstChild.firstChild),
      h('span', { class: 'small' }, `${tileName(row.face)}?`),
    )))));
}

function adviceList(advice) {
  const texts = [...new Set((advice ?? []).map((one) => one.text))];
  if (!texts.length) return null;
  return h('ul', { class: 'stack tight' }, texts.map((text) => h('li', { class: 'notice' }, text)));
}
