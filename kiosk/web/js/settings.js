// The settings, drawn from the fields the server describes; the first start goes through them one
// section at a time.

import { get, send } from './api.js';
import { book } from './book.js';
import { byId, h, show, toast } from './dom.js';
import { allRules, rulesOf } from './facts.js';
import { confirmSheet } from './sheet.js';
import { fieldText, start, table, tellTrouble } from './shell.js';
import { inLanguage, onLanguage, say, speak } from './words.js';

const RULES = ['rules', 'house_file', 'house_options', 'house_values', 'base', 'tai'];

let config = null;
let info = null;
let items = [];
let step = -1;

async function begin() {
  ({ session: info } = await start());
  table.follow();
  await load();
  if (!config.values.first_start_done) step = 0;
  draw();
  onLanguage(async () => {
    await load().catch(tellTrouble);
    draw();
  });
}

async function load() {
  await allRules().catch(() => {});
  config = await get(inLanguage('/api/config'));
  items = (await get(inLanguage(`/api/rules/${config.values.rules}/items`))).items;
}

function draw() {
  const sections = config.sections.filter(({ name }) => fieldsOf(name).length);
  show(byId('settings'), step < 0 ? whole(sections) : walk(inOrder(sections)));
}

const fieldsOf = (section) => config.fields.filter((field) => field.section === section
  && field.name !== 'first_start_done');

/** The first start begins with the language and the names, and leaves out what can wait. */
const inOrder = (sections) => [...sections].filter(({ name }) => firstFields(name).length)
  .sort((a, b) => (b.name === 'table') - (a.name === 'table'));

const firstFields = (section) => fieldsOf(section)
  .filter((field) => field.remote && field.kind !== 'table')
  .sort((a, b) => (b.name === 'language') - (a.name === 'language'));

function whole(sections) {
  return [
    h('h1', {}, say('settings')),
    info?.address && phones(),
    sections.map((section) => h('form', { class: 'card stack', onsubmit: submitted, novalidate: true },
      h('h2', {}, section.title),
      fieldsOf(section.name).map(fieldRow),
      h('button', { class: 'main-button' }, say('save')))),
    h('p', { class: 'small soft' }, say('settings-file', { file: config.file })),
    h('a', { class: 'button', href: '/hub' }, say('hub')),
    h('button', { type: 'button', class: 'plain', id: 'walk', onclick: () => go(0) }, say('walk-again')),
  ];
}

function phones() {
  return h('section', { class: 'card stack' },
    h('h2', {}, say('phones')),
    h('img', { class: 'qr', src: '/qr.svg', alt: say('qr') }),
    h('p', { class: 'small soft address' }, info.address));
}

function walk(sections) {
  const section = sections[step];
  const last = step === sections.length - 1;
  return h('form', { class: 'card stack walk', onsubmit: (event) => submitted(event, last), novalidate: true },
    h('p', { class: 'small soft' }, say('step', { n: step + 1, of: sections.length })),
    h('progress', { max: sections.length, value: step + 1, 'aria-label': say('settings') }),
    step === 0 && h('h1', {}, say('welcome')),
    step === 0 && h('p', { class: 'soft' }, say('welcome-about')),
    h('h2', {}, section.title),
    firstFields(section.name).map(fieldRow),
    h('div', { class: 'row apart' },
      step > 0 ? h('button', { type: 'button', onclick: () => go(step - 1) }, say('back')) : h('span'),
      h('button', { class: 'main-button', id: 'next-step' }, say(last ? 'finish' : 'next'))));
}

function go(to) {
  step = to;
  draw();
  window.scrollTo(0, 0);
}

/** A form is saved whole; a wrong field is named beside it. */
async function submitted(event, last = false) {
  event.preventDefault();
  forgetWrong(event.target);
  const values = {};
  for (const field of config.fields) {
    const row = event.target.querySelector(`[data-field="${field.name}"]`);
    if (row && field.remote) values[field.name] = valueOf(field, row);
  }
  if (values.rules && values.rules !== config.values.rules) {
    values.house_options = {}; // those of other rules mean nothing here
    values.house_values = {};
  }
  if (last) values.first_start_done = true;
  try {
    const before = config.values;
    await send('PUT', inLanguage('/api/config'), { values });
    await load();
    if (values.language) await speak(values.language, true);
    if (step < 0) toast(say('saved'));
    else if (last) go(-1);
    else go(step + 1);
    draw();
    await offerToNight(before);
  } catch (error) {
    const [name] = (error.problem?.field ?? '').split('.');
    const row = event.target.querySelector(`[data-field="${name}"]`);
    if (row) tellWrong(row, error.problem);
    else tellTrouble(error);
  }
}

/** Why a field cannot be so stands beside it; what was typed stays. */
function tellWrong(row, problem) {
  const input = byId(`field-${row.dataset.field}`);
  const id = `wrong-${row.dataset.field}`;
  row.append(h('p', { class: 'field-wrong', id, role: 'alert' }, fieldText(problem)));
  if (input.matches('input, select')) {
    input.setAttribute('aria-invalid', 'true');
    input.setAttribute('aria-describedby', `${input.getAttribute('aria-describedby')} ${id}`);
  }
  input.focus();
}

function forgetWrong(form) {
  for (const old of form.querySelectorAll('.field-wrong')) old.remove();
  for (const input of form.querySelectorAll('[aria-invalid]')) {
    input.removeAttribute('aria-invalid');
    input.setAttribute('aria-describedby', input.getAttribute('aria-describedby').split(' ')[0]);
  }
}

/** A night goes on by the rules it began with, unless it shall be played by the new ones. */
async function offerToNight(before) {
  const changed = RULES.some((name) => JSON.stringify(before[name]) !== JSON.stringify(config.values[name]));
  if (!changed || !table.state?.night) return;
  const yes = await confirmSheet(say('night-rules'), h('p', {}, say('night-rules-about')), say('night-rules-yes'));
  if (yes) await book('rules', {});
}

function fieldRow(field) {
  const id = `field-${field.name}`;
  const facts = { id, 'aria-describedby': `about-${field.name}` };
  const value = config.values[field.name];
  const about = h('p', { class: 'field-note', id: `about-${field.name}` }, field.about,
    field.low !== undefined && ` (${field.low}–${field.high})`,
    field.name === 'save_pictures' && ` ${config.pictures_folder}`);
  return h('div', { class: 'field stack tight', 'data-field': field.name },
    control(field, value, facts), about);
}

function control(field, value, facts) {
  const title = (input) => h('label', {}, h('span', {}, field.title), input);
  if (!field.remote) {
    return h('p', {}, `${field.title}${say('colon')}`, h('strong', {}, value || '–'));
  }
  if (field.kind === 'flag') {
    return h('label', { class: 'check' },
      h('input', { type: 'checkbox', ...facts, checked: Boolean(value) }), h('span', {}, field.title));
  }
  if (field.choices) {
    return title(h('select', facts, field.choices.map((choice) => h('option', {
      value: choice.value, selected: choice.value === value,
    }, choice.title))));
  }
  if (field.kind === 'integer') {
    return title(h('input', {
      type: 'number', inputmode: 'numeric', min: field.low, max: field.high, ...facts, value: value ?? '',
    }));
  }
  if (field.kind === 'names') {
    return h('fieldset', { class: 'stack tight' }, h('legend', {}, field.title), h('div', { class: 'four' },
      value.map((name, place) => h('label', {}, say(`wind-${'ESWN'[place]}`), h('input', {
        ...facts, id: place ? `${facts.id}-${place}` : facts.id, value: name, maxlength: 40,
      })))));
  }
  if (field.kind === 'table') return houseTable(field, value, facts);
  return title(h('input', { ...facts, value: value ?? '', maxlength: field.longest ?? 200 }));
}

/** House rules: every option of the rules in force with its sentence, or every item's value. */
function houseTable(field, value, facts) {
  const rows = field.name === 'house_values'
    ? items.map((item) => itemValue(item, value))
    : (rulesOf(config.values.rules)?.options ?? []).map((option) => houseOption(option, value));
  return h('details', { id: field.name }, h('summary', { id: facts.id }, field.title),
    h('div', { class: 'stack' }, rows));
}

function itemValue(item, value) {
  return h('label', { class: 'item-value' }, h('span', {}, item.name), h('input', {
    type: 'number', min: 0, max: 200, 'data-item': item.id, value: value[item.id] ?? item.value,
  }));
}

function houseOption(option, value) {
  const now = value[option.name] ?? option.value;
  const facts = { id: `house-${option.name}`, 'data-option': option.name, 'data-kind': option.kind };
  const free = option.kind !== 'flag' && option.kind !== 'choice';
  const input = option.kind === 'flag'
    ? h('input', { type: 'checkbox', ...facts, checked: Boolean(now) })
    : option.kind === 'choice'
      ? h('select', facts, option.choices.map((one, place) => h('option', {
        value: one ?? 'none', selected: one === now,
      }, option.choice_names[place])))
      : h('input', { ...facts, value: option.written && value[option.name] === undefined
        ? option.written.replaceAll('"', '') : String(now ?? 'none') });
  return h('label', { class: option.kind === 'flag' ? 'check' : '' }, input,
    h('span', { class: 'small' }, option.about, free && h('span', { class: 'soft' }, ` (${option.allowed})`)));
}

function valueOf(field, row) {
  if (field.kind === 'flag') return row.querySelector('input').checked;
  if (field.kind === 'names') return [...row.querySelectorAll('input')].map((i) => i.value.trim());
  if (field.kind === 'table') return tableValue(field, row);
  const { value } = row.querySelector('input, select');
  if (field.kind === 'integer') return value === '' ? null : Number(value);
  return value.trim();
}

function tableValue(field, row) {
  if (field.name === 'house_values') {
    const told = [...row.querySelectorAll('[data-item]')]
      .map((input) => [input.dataset.item, Number(input.value)]);
    const usual = Object.fromEntries(items.map((item) => [item.id, item.value]));
    return Object.fromEntries(told.filter(([id, value]) => value !== usual[id]));
  }
  const rules = rulesOf(config.values.rules);
  const chosen = {};
  for (const input of row.querySelectorAll('[data-option]')) {
    const option = rules.options.find((one) => one.name === input.dataset.option);
    const value = optionValue(option, input);
    if (JSON.stringify(value) !== JSON.stringify(option.value)) chosen[option.name] = value;
  }
  return chosen;
}

function optionValue(option, input) {
  if (option.kind === 'flag') return input.checked;
  const text = input.value.trim();
  if (option.kind === 'choice') {
    return option.choices.find((one) => String(one ?? 'none') === text) ?? null;
  }
  if (text === 'none') return null;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

begin().catch(tellTrouble);
