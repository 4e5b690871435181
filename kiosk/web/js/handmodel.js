// The hand being corrected: tiles in groups. Plain data; every change gives a new one.
//
// {tiles: {key: {tile, quad?, index?, unsure?, fixed?, alternatives?}}, groups: [{key, kind, tiles}]}

import { byFace, isBonus, readHand, writeHand } from './tiles.js';

export const SETS = ['chow', 'pung', 'kong', 'concealed-kong'];
export const CONCEALED = 'concealed';
export const WINNING = 'winning-tile';
export const BONUS = 'bonus';
export const OTHER = 'not-of-this-hand';
const ORDER = [CONCEALED, WINNING, ...SETS, BONUS, OTHER];

let last = 0;
const fresh = (prefix) => `${prefix}${++last}`;

export const emptyModel = () => tidy({ tiles: {}, groups: [] });

/**
 * A reading as a model; unsure tiles carry what they may be. `faces` (a Map) are the tiles that a
 * person has named, `removed` (a Set) those that were taken away; both by index.
 */
export function modelOf(reading, faces = new Map(), removed = new Set()) {
  const tiles = {};
  const choices = new Map((reading.unsure ?? []).map((row) => [row.tile, row.choices]));
  reading.tiles.forEach((tile, index) => {
    if (removed.has(index)) return;
    tiles[`r${index}`] = {
      tile: tile.tile,
      quad: tile.quad,
      index,
      unsure: choices.has(index),
      choices: choices.get(index) ?? [],
      alternatives: tile.alternatives ?? [],
      fixed: faces.has(index),
    };
  });
  const groups = reading.groups.map((group) => ({
    key: fresh('g'),
    kind: group.kind,
    tiles: group.tiles.filter((index) => !removed.has(index)).map((index) => `r${index}`),
  }));
  const placed = new Set(groups.flatMap((group) => group.tiles));
  const loose = Object.keys(tiles).filter((key) => !placed.has(key));
  if (loose.length) groups.push({ key: fresh('g'), kind: OTHER, tiles: loose });
  return tidy({ tiles, groups });
}

/** A hand text as a model without a picture. */
export function modelOfText(text) {
  const hand = readHand(text);
  let model = emptyModel();
  const fill = (kind, codes) => {
    if (!codes.length) return;
    const keys = codes.map((code) => {
      const key = fresh('t');
      model.tiles[key] = { tile: code, alternatives: [] };
      return key;
    });
    model = { ...model, groups: [...model.groups, { key: fresh('g'), kind, tiles: keys }] };
  };
  fill(CONCEALED, hand.concealed);
  for (const meld of hand.melds) fill(meld.kind, meld.tiles);
  fill(WINNING, hand.winning ? [hand.winning] : []);
  fill(BONUS, hand.bonus);
  return tidy(model);
}

/** The hand text of a model. */
export function textOfModel(model) {
  const codes = (group) => group.tiles.map((key) => model.tiles[key].tile);
  const of = (kind) => model.groups.filter((g) => g.kind === kind).flatMap(codes);
  return writeHand({
    concealed: of(CONCEALED),
    melds: model.groups.filter((g) => SETS.includes(g.kind))
      .map((group) => ({ kind: group.kind, tiles: codes(group) })),
    winning: of(WINNING)[0] ?? null,
    bonus: of(BONUS),
  });
}

/** One group of each kind that every hand has, empty sets gone, in the order people look. */
function tidy(model) {
  const groups = model.groups.filter((g) => g.tiles.length || !SETS.includes(g.kind));
  for (const kind of [CONCEALED, WINNING, BONUS]) {
    if (!groups.some((group) => group.kind === kind)) {
      groups.push({ key: fresh('g'), kind, tiles: [] });
    }
  }
  const merged = [];
  for (const group of groups) {
    const twin = SETS.includes(group.kind) ? null : merged.find((g) => g.kind === group.kind);
    if (twin) twin.tiles = [...twin.tiles, ...group.tiles];
    else merged.push({ ...group, tiles: [...group.tiles] });
  }
  merged.sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind));
  for (const group of merged) {
    group.tiles.sort((a, b) => byFace(model.tiles[a].tile, model.tiles[b].tile));
  }
  return { tiles: model.tiles, groups: merged };
}

/** The face of a tile, said by a person. */
export function setFace(model, key, tile) {
  const tiles = { ...model.tiles, [key]: { ...model.tiles[key], tile, unsure: false, fixed: true } };
  return tidy({ ...model, tiles });
}

export function removeTile(model, key) {
  const tiles = { ...model.tiles };
  delete tiles[key];
  const groups = model.groups.map((g) => ({ ...g, tiles: g.tiles.filter((k) => k !== key) }));
  return tidy({ tiles, groups });
}

export function addTile(model, tile, groupKey = null) {
  const key = fresh('t');
  const tiles = { ...model.tiles, [key]: { tile, alternatives: [], fixed: true } };
  const kind = isBonus(tile) ? BONUS : CONCEALED;
  const target = model.groups.find((g) => (groupKey ? g.key === groupKey : g.kind === kind));
  const groups = model.groups.map((g) => (g === target ? { ...g, tiles: [...g.tiles, key] } : g));
  return tidy({ tiles, groups });
}

/** A set laid open or a concealed kong, added whole. */
export function addSet(model, kind, codes) {
  const tiles = { ...model.tiles };
  const keys = codes.map((tile) => {
    const key = fresh('t');
    tiles[key] = { tile, alternatives: [], fixed: true };
    return key;
  });
  return tidy({ tiles, groups: [...model.groups, { key: fresh('g'), kind, tiles: keys }] });
}

/** Move tiles into a group. There is one winning tile: an older one goes back into the hand. */
export function moveTiles(model, keys, groupKey) {
  const target = model.groups.find((group) => group.key === groupKey);
  if (!target) return model;
  const moving = new Set(keys);
  const freed = target.kind === WINNING ? target.tiles.filter((key) => !moving.has(key)) : [];
  const groups = model.groups.map((group) => {
    const left = group.tiles.filter((key) => !moving.has(key) && !freed.includes(key));
    if (group.key === groupKey) return { ...group, tiles: [...left, ...keys] };
    return { ...group, tiles: group.kind === CONCEALED ? [...left, ...freed] : left };
  });
  return tidy({ ...model, groups });
}

/** A new group of these tiles. */
export function splitOff(model, keys, kind) {
  const moving = new Set(keys);
  const groups = model.groups.map((g) => ({ ...g, tiles: g.tiles.filter((k) => !moving.has(k)) }));
  return tidy({ ...model, groups: [...groups, { key: fresh('g'), kind, tiles: [...keys] }] });
}

/** Say what a group is: its tiles join the one group of that kind, or it stays a set. */
export function setKind(model, groupKey, kind) {
  const group = model.groups.find((g) => g.key === groupKey);
  return splitOff(model, group.tiles, kind);
}

export const groupOf = (model, key) => model.groups.find((g) => g.tiles.includes(key));

/** Tiles of the hand itself, a kong as three; bonus tiles and strangers are not counted. */
export function countHand(model) {
  return model.groups.filter((g) => ![BONUS, OTHER].includes(g.kind))
    .reduce((sum, g) => sum + (g.kind.endsWith('kong') ? 3 : g.tiles.length), 0);
}
