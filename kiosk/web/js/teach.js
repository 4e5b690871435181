// The practice page: questions, a hand explained, tiles and winds to look up, the score sheet.

import { get } from './api.js';
import { byId, h, show } from './dom.js';
import { start, tellTrouble } from './shell.js';
import { explainPanel } from './teach-explain.js';
import { tilesPanel, windsPanel } from './teach-look.js';
import { loadWords, t } from './teach-parts.js';
import { practicePanel } from './teach-practice.js';
import { inLanguage, onLanguage, spoken } from './words.js';

const KEPT = 'hupai-practice-rules';
const PANELS = {
  practice: practicePanel,
  explain: explainPanel,
  tiles: tilesPanel,
  winds: windsPanel,
};

let rules = '';
let rulesets = [];

const open = () => (location.hash.slice(1) in PANELS ? location.hash.slice(1) : 'practice');

function head() {
  byId('teach-title').textContent = t('page', 'title');
  byId('rules-label').textContent = t('page', 'rules');
  show(byId('tabs'), Object.keys(PANELS).map((name) => h('button', {
    type: 'button',
    role: 'tab',
    id: `tab-${name}`,
    'aria-selected': String(name === open()),
    'aria-controls': 'panel',
    class: name === open() ? 'tab here' : 'tab',
    onclick: () => { location.hash = name; },
  }, t('page', name))));
  byId('sheet').textContent = t('page', 'sheet');
  byId('sheet').href = inLanguage(`/api/teach/sheet?rules=${encodeURIComponent(rules)}`);
  rulesets.forEach((row, i) => {
    byId('teach-rules').options[i].textContent = row.names[spoken()];
  });
}

async function display() {
  head();
  const panel = byId('panel');
  panel.setAttribute('aria-labelledby', `tab-${open()}`);
  try {
    await PANELS[open()](panel, rules);
  } catch (error) {
    tellTrouble(error);
  }
}

async function begin() {
  const { config } = await start();
  onLanguage(async () => {
    await loadWords();
    if (rules) display();
  });
  await loadWords();
  ({ rulesets } = await get(inLanguage('/api/rules')));
  const ids = rulesets.map((row) => row.id);
  const kept = localStorage.getItem(KEPT);
  const asked = new URLSearchParams(location.search).get('rules');
  rules = [asked, kept, config?.values.rules, 'taiwan'].find((id) => ids.includes(id));
  show(byId('teach-rules'), ids.map((id) => h('option', { value: id, selected: id === rules })));
  byId('teach-rules').addEventListener('change', (event) => {
    rules = event.target.value;
    localStorage.setItem(KEPT, rules);
    display();
  });
  window.addEventListener('hashchange', display);
  await display();
}

begin().catch(tellTrouble);
