// The hand in groups: tap a tile to name it, hold to remove, drag to another group, plus adds.
// With the keyboard: arrows go from tile to tile, Delete removes, Alt with an arrow moves the tile
// to the group before or after.

import { h, onHold, show, toast } from './dom.js';
import { draggable } from './drag.js';
import {
  BONUS, CONCEALED, OTHER, SETS, WINNING, addTile, groupOf, moveTiles, removeTile, setFace, setKind,
  splitOff,
} from './handmodel.js';
import { patternOf } from './overlay.js';
import { pickTile } from './picker.js';
import { openSheet } from './sheet.js';
import { tileImage } from './tiles.js';
import { say, tileName } from './words.js';

const KINDS = [CONCEALED, WINNING, ...SETS, BONUS, OTHER];

/** Show the groups in `root`; `changed(model, grouped)` is called with every new model. */
export function editor(root, model, changed, foreign = true) {
  const groups = model.groups.filter((group) => foreign || group.kind !== OTHER);
  show(
    root,
    h('p', { class: 'small soft', id: 'editor-help' }, say('editor-help')),
    h('div', {
      class: 'groups',
      role: 'group',
      'aria-label': say('groups'),
      onkeydown: (event) => keys(event, root, model, changed),
    }, groups.map((group) => groupBox(group, model, changed))),
  );
}

function groupBox(group, model, changed) {
  const { colour, letter } = patternOf(group.kind);
  const title = say(`kind-${group.kind}`);
  const handle = h('button', {
    type: 'button',
    class: 'plain',
    id: `kind-of-${group.tiles[0] ?? group.kind}`,
    'aria-label': say('change-group', { kind: title }),
    onclick: () => changeKind(group, model, changed),
  }, letter && h('span', { class: 'swatch', style: `background:${colour}`, 'aria-hidden': 'true' },
    letter), title);
  if (group.tiles.length) {
    handle.style.touchAction = 'none';
    draggable(handle, (key) => changed(moveTiles(model, group.tiles, key), true));
  }
  return h(
    'section',
    { class: `group of-${group.kind}`, 'data-group-key': group.key, 'data-kind': group.kind },
    h('header', {}, handle, h('button', {
      type: 'button',
      class: 'plain add',
      id: `add-${group.tiles[0] ?? group.kind}`,
      'aria-label': say('add-to', { kind: title }),
      onclick: () => add(group, model, changed),
    }, '+')),
    h('div', { class: 'tiles' }, group.tiles.map((key) => tileButton(key, group, model, changed))),
  );
}

function tileButton(key, group, model, changed) {
  const { tile, unsure, fixed } = model.tiles[key];
  const mark = unsure ? 'unsure' : group.kind === WINNING ? 'wins' : fixed ? 'fixed' : '';
  const button = h(
    'button',
    {
      type: 'button',
      class: `tile ${mark}`,
      id: `tile-${key}`,
      'data-key': key,
      'data-face': tile,
      'aria-describedby': 'editor-help',
      'aria-label': tileName(tile) + (unsure ? say('comma') + say('unsure') : ''),
      onclick: () => rename(key, model, changed),
    },
    tileImage(tile, false),
  );
  button.style.touchAction = 'none'; // it is dragged
  onHold(button, () => remove(key, model, changed));
  draggable(button, (target) => changed(moveTiles(model, [key], target), true));
  return button;
}

/** Ask what a tile is: what it may be first. Used by the overlay too. */
export async function rename(key, model, changed) {
  const tile = model.tiles[key];
  const shown = tile.alternatives.filter((row) => row.p === undefined || row.p >= 0.001);
  const known = new Set(shown.map((row) => row.tile));
  const more = (tile.choices ?? []).filter((code) => !known.has(code)).map((code) => ({ tile: code }));
  const chosen = await pickTile(
    say('what-is-it', { tile: tileName(tile.tile) }),
    [...shown, ...more],
    { remove: true, back: true },
  );
  if (chosen === 'remove') remove(key, model, changed);
  else if (chosen) changed(setFace(model, key, chosen), false);
}

function remove(key, model, changed) {
  toast(say('removed', { tile: tileName(model.tiles[key].tile) }));
  changed(removeTile(model, key), false);
}

async function add(group, model, changed) {
  const chosen = await pickTile(say('add-to', { kind: say(`kind-${group.kind}`) }), [], { back: true });
  if (chosen) changed(addTile(model, chosen, group.key), SETS.includes(group.kind));
}

async function changeKind(group, model, changed) {
  if (!group.tiles.length) return add(group, model, changed);
  const kind = await openSheet(say('what-group'), (close) => h(
    'div',
    { class: 'stack' },
    h('span', { class: 'tiles' }, group.tiles.map((key) => h('span', { class: 'tile' },
      tileImage(model.tiles[key].tile)))),
    h('div', { class: 'chips' }, KINDS.filter((one) => one !== WINNING || group.tiles.length === 1)
      .map((one) => h('button', {
        type: 'button',
        'aria-pressed': String(one === group.kind),
        'data-kind': one,
        onclick: () => close(one),
      }, say(`kind-${one}`)))),
  ));
  if (kind && kind !== group.kind) changed(setKind(model, group.key, kind), true);
  return undefined;
}

function keys(event, root, model, changed) {
  const key = event.target.dataset?.key;
  if (!key) return;
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  if (step && event.altKey) {
    event.preventDefault();
    const at = model.groups.indexOf(groupOf(model, key)) + step;
    const target = model.groups[at];
    if (target) changed(moveTiles(model, [key], target.key), true);
    else changed(splitOff(model, [key], OTHER), true);
  } else if (step) {
    event.preventDefault();
    const all = [...root.querySelectorAll('button.tile')];
    all[all.indexOf(event.target) + step]?.focus();
  } else if (event.key === 'Delete' || event.key === 'Backspace') {
    event.preventDefault();
    remove(key, model, changed);
  }
}
