// Questions one after another. Progress is kept in this browser and sent along.

import { Refused, get, post } from './api.js';
import { h, show, toast } from './dom.js';
import { tellTrouble } from './shell.js';
import {
  drawnHand, kinds, levels, lines, setsRow, t, unnamed, whyList,
} from './teach-parts.js';
import { codesOf } from './tiles.js';
import { inLanguage } from './words.js';

const KEPT = 'hupai-practice';
const state = {
  kind: '', item: '', items: [], level: 1, asked: 0, right: 0, last: '', question: null, hints: 0, verdict: null,
};

/** What was kept; something damaged is set aside, so that practice can go on. */
function kept() {
  const text = localStorage.getItem(KEPT);
  if (!text) return null;
  try {
    return JSON.parse(text);
  } catch {
    localStorage.setItem(`${KEPT}-damaged`, text);
    localStorage.removeItem(KEPT);
    return null;
  }
}

export async function practicePanel(panel, rules) {
  if (state.question && (state.rules !== rules || state.spoken !== document.documentElement.lang)) {
    state.question = null;
    state.verdict = null;
  }
  if (state.rules !== rules) state.item = '';
  state.rules = rules;
  state.spoken = document.documentElement.lang;
  const known = await get(inLanguage(`/api/rules/${encodeURIComponent(rules)}/items`));
  state.items = known.items;
  display(panel);
}

function display(panel) {
  show(panel, choices(panel), state.question ? question(panel) : welcome(panel));
}

function choices(panel) {
  const choose = (name, value) => {
    state[name] = value;
    state.question = null;
    state.verdict = null;
    display(panel); // the old question can no longer be answered
    next(panel);
  };
  return h(
    'section',
    { class: 'row teach-choices' },
    h('label', {}, t('page', 'kind'), h(
      'select',
      { id: 'kind', onchange: (event) => choose('kind', event.target.value) },
      h('option', { value: '', selected: !state.kind }, t('page', 'any')),
      [...kinds, 'ledger'].map((kind) => h('option', {
        value: kind, selected: kind === state.kind,
      }, t('kinds', kind))),
    )),
    state.kind === 'count' && h('label', {}, t('page', 'item'), h(
      'select',
      { id: 'item', onchange: (event) => choose('item', event.target.value) },
      h('option', { value: '', selected: !state.item }, t('page', 'any')),
      state.items.map((item) => h('option', { value: item.id, selected: item.id === state.item },
        item.name)),
    )),
    h('label', {}, t('page', 'level'), h(
      'select',
      { id: 'level', onchange: (event) => choose('level', Number(event.target.value)) },
      levels.map((level) => h('option', { value: level, selected: level === state.level },
        t('page', `level-${level}`))),
    )),
    state.asked > 0 && h('p', { id: 'practice-score', role: 'status' },
      t('page', 'score', { right: state.right, asked: state.asked })),
  );
}

function welcome(panel) {
  return h(
    'section',
    { class: 'card stack' },
    h('button', {
      type: 'button', id: 'start', class: 'main-button', onclick: () => next(panel),
    }, t('page', 'start')),
    localStorage.getItem(KEPT) && h('button', {
      type: 'button',
      id: 'forget',
      class: 'plain',
      onclick: () => {
        localStorage.removeItem(KEPT);
        Object.assign(state, { asked: 0, right: 0, last: '' });
        display(panel);
      },
    }, t('page', 'forget')),
  );
}

let newest = 0;

async function next(panel) {
  newest += 1;
  const mine = newest;
  const body = {
    rules: state.rules, difficulty: state.level, asked: state.asked, last: state.last,
  };
  if (state.kind) body.kind = state.kind;
  if (state.kind === 'count' && state.item) body.item = state.item;
  const progress = kept();
  if (progress) body.progress = progress;
  try {
    const answer = await post(inLanguage('/api/teach/next'), body);
    if (mine !== newest) return; // another kind was chosen meanwhile
    Object.assign(state, { question: answer.question, hints: 0, verdict: null });
    if (!answer.question) toast(answer.text, 9000);
  } catch (error) {
    if (mine !== newest) return;
    setAside(error);
  }
  display(panel);
}

/** Progress that the server refuses is kept beside, and practice starts anew. */
function setAside(error) {
  if (error instanceof Refused && error.problem.field === 'progress') {
    localStorage.setItem(`${KEPT}-damaged`, localStorage.getItem(KEPT));
    localStorage.removeItem(KEPT);
  }
  tellTrouble(error);
}

function question(panel) {
  const asked = state.question;
  return h(
    'section',
    { class: 'card stack question', 'data-kind': asked.kind, 'data-card': asked.card },
    h('p', { class: 'soft small' }, asked.kind_name),
    asked.tile && unnamed(asked.tile),
    asked.hand && !state.verdict?.why && drawnHand(asked.hand),
    asked.hands.map((hand, i) => h('div', {}, h('h3', {}, asked.choices[i].label),
      drawnHand(hand))),
    asked.facts && h('p', { class: 'facts' }, asked.facts),
    h('h2', { id: 'prompt' }, asked.prompt),
    state.verdict ? verdict(panel) : answering(panel),
  );
}

function answering(panel) {
  const asked = state.question;
  const shown = asked.hints.slice(0, state.hints);
  return [
    asked.input === 'choice' ? h('div', { class: 'row choices' }, asked.choices.map((choice) => h(
      'button',
      { type: 'button', 'data-choice': choice.id, onclick: () => answer(panel, choice.id) },
      choice.label,
    ))) : typed(panel, asked),
    h('button', {
      type: 'button',
      id: 'hint',
      class: 'plain',
      disabled: state.hints >= asked.hints.length,
      onclick: () => {
        state.hints += 1;
        display(panel);
      },
    }, t('page', 'hint')),
    shown.length > 0 && h('ul', { class: 'stack tight hints', 'aria-live': 'polite' },
      shown.map((hint) => h('li', {}, hint))),
  ];
}

function typed(panel, asked) {
  const tiles = asked.input === 'tiles';
  return h(
    'form',
    {
      class: 'row',
      onsubmit: (event) => {
        event.preventDefault();
        const said = event.target.elements.answer.value;
        if (said.trim()) answer(panel, tiles ? codesOf(said).join(' ') || said : said);
      },
    },
    h('label', {}, t('page', 'answer'), h('input', {
      id: 'answer',
      name: 'answer',
      autocomplete: 'off',
      autocapitalize: 'off',
      inputmode: tiles ? 'text' : 'numeric',
      placeholder: tiles ? '2s 5s' : '',
    })),
    h('button', { class: 'main-button', id: 'check' }, t('page', 'check')),
  );
}

async function answer(panel, said) {
  const asked = state.question;
  const body = { rules: state.rules, spec: asked.spec, answer: said, hints: state.hints };
  const progress = kept();
  if (progress) body.progress = progress;
  try {
    const told = await post(inLanguage('/api/teach/answer'), body);
    if (state.question !== asked || state.verdict) return; // a second tap on the same question
    state.verdict = told;
    state.asked += 1;
    state.right += told.right;
    state.last = asked.card;
    try {
      localStorage.setItem(KEPT, JSON.stringify(told.progress));
    } catch (error) {
      console.warn(error); // a full or forbidden store: practice goes on without
    }
    display(panel);
    document.getElementById('next')?.focus();
  } catch (error) {
    setAside(error);
  }
}

function verdict(panel) {
  const told = state.verdict;
  const root = h('div', { class: 'stack' });
  const inside = told.why ? [
    drawnHand(state.question.hand), ...whyList(told.why, root), setsRow(told.why),
    lines(told.why.steps),
  ] : [lines(told.explanation)];
  root.append(...inside);
  return [
    h('p', { id: 'verdict', class: told.right ? 'right' : 'wrong', role: 'status' }, told.text),
    root,
    h('button', {
      type: 'button', id: 'next', class: 'main-button', onclick: () => next(panel),
    }, t('page', 'next')),
  ];
}
