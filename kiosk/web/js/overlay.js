// The tiles that were seen, drawn over the picture as SVG: colour, pattern and a letter for each
// kind of group; a dashed ring and a question mark where a tile is unsure.

import { s } from './dom.js';
import { say, tileName } from './words.js';

/** Colours that colour-blind people tell apart (after Okabe and Ito), each with its own dashes. */
export const KINDS = {
  concealed: { colour: '#ffffff', dash: '', letter: '' },
  chow: { colour: '#56b4e9', dash: '3 1', letter: 'C' },
  pung: { colour: '#f0e442', dash: '1 1', letter: 'P' },
  kong: { colour: '#ff9f4a', dash: '5 1 1 1', letter: 'K' },
  'concealed-kong': { colour: '#e79ac6', dash: '5 1 1 1 1 1', letter: 'K' },
  'winning-tile': { colour: '#2fe0a5', dash: '', letter: '★' },
  bonus: { colour: '#ff8f80', dash: '1 2', letter: '✿' },
  'not-of-this-hand': { colour: '#b9b9b9', dash: '0.6 2', letter: '' },
};
export const patternOf = (kind) => KINDS[kind] ?? KINDS.concealed;

/**
 * @param {object} reading with width, height, tiles (quad, tile), groups, unsure
 * @param {function|null} tapped called with the index of a tile
 */
export function overlay(reading, tapped = null) {
  const { width, height, tiles, groups } = reading;
  const unsure = new Set((reading.unsure ?? []).map((row) => row.tile));
  const pen = Math.max(1.5, width / 420);
  const marks = tiles.map((tile, index) => {
    const kind = groups[tile.group]?.kind ?? 'not-of-this-hand';
    return tileMark(tile, index, kind, unsure.has(index), pen, tapped);
  });
  return s('svg', {
    viewBox: `0 0 ${width} ${height}`,
    style: `--pen:${pen}px`,
    role: tapped ? 'group' : 'img',
    'aria-label': say('overlay-label', { n: tiles.length }),
  }, marks);
}

function tileMark(tile, index, kind, unsure, pen, tapped) {
  if (!tile.quad) return null;
  const points = tile.quad.map(([x, y]) => `${x},${y}`).join(' ');
  const { colour, dash, letter } = patternOf(kind);
  const [cx, cy] = middle(tile.quad);
  const top = Math.min(...tile.quad.map(([, y]) => y));
  const size = pen * 6;
  const facts = { class: 'seen-group', 'data-tile-index': index };
  if (tapped) {
    Object.assign(facts, {
      tabindex: 0,
      role: 'button',
      'aria-label': tileName(tile.tile) + (unsure ? say('comma') + say('unsure') : ''),
      onclick: () => tapped(index),
      onkeydown: (event) => {
        if (event.key === 'Enter' || event.key === ' ') {
          event.preventDefault();
          tapped(index);
        }
      },
    });
  }
  return s(
    'g',
    facts,
    s('polygon', { class: 'seen-under', points }),
    s('polygon', {
      class: 'seen',
      points,
      style: `stroke:${colour};stroke-dasharray:${dashes(dash, pen * 2.4)}`,
    }),
    unsure && s('ellipse', {
      cx,
      cy,
      rx: radius(tile.quad),
      ry: radius(tile.quad),
      fill: 'none',
      stroke: '#ffb000',
      'stroke-width': pen * 2,
      'stroke-dasharray': `${pen * 5} ${pen * 3}`,
    }),
    (letter || unsure) && badge(cx, top, size, unsure ? '?' : letter, unsure ? '#ffb000' : colour),
  );
}

function badge(x, y, size, text, colour) {
  return s(
    'g',
    { transform: `translate(${x} ${y})`, 'aria-hidden': 'true' },
    s('circle', { r: size, fill: colour, stroke: '#111', 'stroke-width': size / 6 }),
    s('text', {
      'text-anchor': 'middle',
      dy: '0.36em',
      fill: '#111',
      style: `font:700 ${size * 1.3}px system-ui,sans-serif`,
    }, text),
  );
}

const dashes = (dash, unit) => (dash ? dash.split(' ').map((n) => n * unit).join(' ') : 'none');

function middle(quad) {
  return [0, 1].map((k) => quad.reduce((sum, corner) => sum + corner[k], 0) / quad.length);
}

function radius(quad) {
  const [x, y] = middle(quad);
  return Math.max(...quad.map((corner) => Math.hypot(corner[0] - x, corner[1] - y))) * 1.05;
}
