// One reading being corrected: what was told so far, sent whole each time; the newest answer wins.

import { get, post } from './api.js';
import { withAnswer } from './facts.js';
import { CONCEALED, OTHER, SETS, groupOf, modelOf, moveTiles, setFace } from './handmodel.js';
import { inLanguage } from './words.js';

const FIRST_KEY = /^r(\d+)$/;

export class Session {
  /** `changed()` is called whenever `reading` or `model` is new; `failed(error)` otherwise. */
  constructor(reading, changed, failed) {
    this.id = reading.id;
    this.first = reading.tiles; // what the reader saw, before anything was told
    this.count = reading.tiles.length;
    this.situation = known(reading.situation);
    this.rules = reading.rules;
    this.answers = {};
    this.faces = new Map();
    this.removed = new Set();
    this.added = [];
    this.grouped = false;
    this.sent = 0;
    this.changed = changed;
    this.failed = failed;
    this.take(reading);
  }

  take(reading) {
    this.stale = false;
    this.reading = reading;
    this.model = modelOf(reading, this.faces, this.removed);
    for (const tile of Object.values(this.model.tiles)) {
      tile.alternatives = this.first[tile.index]?.alternatives ?? [];
    }
  }

  /** The hand as the editor left it. `grouped` says that tiles were put elsewhere. */
  edit(model, grouped) {
    this.model = model;
    this.grouped ||= grouped;
    for (let index = 0; index < this.count; index += 1) {
      const tile = model.tiles[`r${index}`];
      if (!tile) this.removed.add(index);
      else if (tile.fixed) this.faces.set(index, tile.tile);
    }
    this.added = Object.keys(model.tiles).filter((key) => this.isAdded(key));
    for (const key of this.added) {
      if (SETS.includes(groupOf(model, key)?.kind)) this.grouped = true; // a kind alone is vague
    }
    return this.send();
  }

  /** Name a tile of the picture; one that was removed or is not of the hand comes into it. */
  name(index, face) {
    this.removed.delete(index);
    const key = `r${index}`;
    let { model } = this;
    if (!model.tiles[key]) {
      const tile = { tile: face, quad: this.reading.tiles[index].quad, index, alternatives: [] };
      const home = model.groups.find((group) => group.kind === CONCEALED);
      model = { ...model, tiles: { ...model.tiles, [key]: tile } };
      return this.edit(setFace(moveTiles(model, [key], home.key), key, face), true);
    }
    return this.edit(setFace(model, key, face), false);
  }

  answer(id, answer) {
    const situation = withAnswer(this.situation, id, answer);
    if (situation) this.situation = situation;
    else this.answers[id] = answer;
    return this.send();
  }

  facts(situation) {
    this.situation = situation;
    return this.send();
  }

  /** Ask for the same reading in the language that is spoken now. */
  async again() {
    const turn = ++this.sent;
    const reading = await get(inLanguage(`/api/readings/${this.id}`));
    if (turn === this.sent) {
      this.take(reading);
      this.changed();
    }
  }

  async send() {
    const turn = ++this.sent;
    this.stale = true; // what is shown now is not what was told
    this.changed();
    try {
      const reading = await post(inLanguage(`/api/readings/${this.id}/corrections`), this.body());
      if (turn !== this.sent) return; // something newer was told meanwhile
      this.take(reading);
      this.changed();
    } catch (error) {
      if (turn === this.sent) this.failed(error);
    }
  }

  /** How many tiles were named otherwise than the reader saw them. */
  get misread() {
    return [...this.faces].filter(([index, face]) => this.first[index].seen !== face).length;
  }

  isAdded(key) {
    const first = FIRST_KEY.exec(key);
    return !first || Number(first[1]) >= this.count;
  }

  body() {
    const tiles = [
      ...[...this.faces].filter(([index]) => !this.removed.has(index))
        .map(([index, face]) => ({ index, face })),
      ...[...this.removed].map((index) => ({ index, remove: true })),
      ...this.added.map((key) => ({
        add: this.model.tiles[key].tile,
        ...(this.grouped ? {} : { group: groupOf(this.model, key).kind }),
      })),
    ];
    const body = { tiles, answers: this.answers, situation: this.situation, rules: this.rules };
    if (this.grouped) body.groups = this.placed();
    return body;
  }

  placed() {
    const indexOf = (key) => (this.isAdded(key) ? this.count + this.added.indexOf(key)
      : Number(FIRST_KEY.exec(key)[1]));
    return this.model.groups.filter((group) => group.tiles.length && group.kind !== OTHER)
      .map((group) => ({ kind: group.kind, tiles: group.tiles.map(indexOf) }));
  }
}

/** The facts that are said; an unknown dealer or streak is the table's affair. */
function known(situation) {
  return Object.fromEntries(Object.entries(situation ?? {})
    .filter(([, value]) => value !== null && !(Array.isArray(value) && !value.length)));
}
