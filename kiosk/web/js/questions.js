// Questions that change the score, as chips; each says what its answer is worth.

import { h } from './dom.js';
import { CHARACTER, WINDS } from './seatmap.js';
import { codesOf, readHand, tileRow } from './tiles.js';
import { say, spanText, windName } from './words.js';

const SEATS = new Set(['seat', 'round', 'from_seat', 'dealer']);

/**
 * @param {Array} questions the `asks` of a reading or result
 * @param {string} unit
 * @param {function} answered called with (question, answer text)
 * @param {object} names of players by seat letter
 */
export function questionChips(questions, unit, answered, names = {}) {
  if (!questions?.length) return null;
  return h('section', { class: 'stack questions' },
    h('h3', {}, say('please-say')),
    questions.map((question) => h(
      'fieldset',
      { class: 'question' },
      h('legend', {}, question.text),
      h('div', { class: 'chips' }, question.answers.map((answer) => h(
        'button',
        {
          type: 'button',
          class: 'chip',
          id: `answer-${question.id}-${answer.answer}`,
          'data-question': question.id,
          'data-answer': answer.answer,
          onclick: () => answered(question, answer.answer),
        },
        answerLabel(question, answer, names),
        h('span', { class: 'worth' }, answer.range === undefined ? ''
          : spanText(answer.range, unit)),
      ))),
    )));
}

/** Who gave the tile is asked where the total is known without it, but not who pays. */
export function withGiver(asks, result, situation) {
  const open = result.certain && !result.payments && situation.self_drawn === false
    && !situation.from_seat;
  if (!open) return asks;
  const others = WINDS.filter((wind) => wind !== situation.seat);
  const answers = others.map((answer) => ({ answer, text: windName(answer) }));
  return [...asks, { id: 'from_seat', text: say('whose-tile'), answers }];
}

function answerLabel({ id, answers }, { answer, text }, names) {
  if (id === 'tile') return tileRow(tellingTiles(answer, answers.map((one) => one.answer)));
  if (SEATS.has(id) && CHARACTER[answer]) {
    const name = id === 'round' ? windName(answer) : names[answer] ?? windName(answer);
    return h('span', {}, h('span', { 'aria-hidden': 'true' }, `${CHARACTER[answer]} `), name);
  }
  if (id === 'winning') return h('span', { class: 'row' }, tileRow([answer]), text);
  if (id === 'missing_suit' || id === 'replacement') return say(`answer-${answer}`);
  if (answer !== 'none' && (id === 'claimed' || id === 'kong')) {
    return h('span', { class: 'row' }, answer.split(' ').map((text) => tileRow(codesOf(text))));
  }
  return text || answer;
}

/** The tiles in which a hand differs from the others; the whole hand where only groups differ. */
function tellingTiles(text, all) {
  const hands = all.map(wholeHand);
  const own = wholeHand(text);
  const left = own.filter((code, k) => {
    const nth = own.slice(0, k + 1).filter((one) => one === code).length;
    return hands.some((hand) => hand.filter((one) => one === code).length < nth);
  });
  return left.length ? left : own;
}

function wholeHand(text) {
  const hand = readHand(text);
  return [...hand.concealed, ...hand.melds.flatMap((m) => m.tiles),
    ...(hand.winning ? [hand.winning] : []), ...hand.bonus];
}
