// What every page shares: language, theme, navigation, what the table shows, trouble as a sentence.

import { Refused, Unreachable, get } from './api.js';
import { byId, h, show, toast } from './dom.js';
import { icon } from './icons.js';
import { LANGUAGES, inLanguage, onLanguage, say, speak, spoken, wanted } from './words.js';

const THEME = 'hupai-theme';
const THEMES = ['', 'light', 'dark'];
const SCREEN = 'hupai-screen';
const PAGES = [
  ['/phone', 'photo'],
  ['/enter', 'enter'],
  ['/phone#table', 'table'],
  ['/practice', 'practice'],
  ['/settings', 'settings'],
];

/**
 * Set the page up; resolves with {config, session} once it speaks. The screen at the table speaks
 * the table's language, a phone its owner's.
 */
export async function start(ofTheTable = false) {
  if (ofTheTable) sessionStorage.setItem(SCREEN, 'yes');
  document.documentElement.dataset.theme = localStorage.getItem(THEME) ?? '';
  const [config, session] = await Promise.all([
    get('/api/config').catch(() => null),
    get('/api/session').catch(() => null),
  ]);
  await speak(wanted(ofTheTable ? config?.values.language : ''));
  header();
  onLanguage(header);
  table.listen(showWhere);
  window.addEventListener('hashchange', header);
  return { config, session };
}

/** The screen at the table has no button to go back, and comes from a page of its own. */
function header() {
  const screen = sessionStorage.getItem(SCREEN);
  const top = byId('top');
  if (top) {
    show(
      top,
      h('a', { class: 'brand', href: screen ? '/kiosk' : '/phone' }, h('img', {
        src: '/static/icons/icon.svg', alt: '', width: 32, height: 32,
      }), '胡牌'),
      h('div', { id: 'where', class: 'where' }),
      h('div', { class: 'row' }, languageChoice(), themeButton()),
    );
    showWhere();
  }
  const nav = byId('nav');
  if (nav) {
    nav.setAttribute('aria-label', say('navigation'));
    show(nav, [screen && ['/kiosk', 'kiosk'], ...PAGES].filter(Boolean).map(([href, name]) => h(
      'a',
      { href, 'aria-current': isHere(href) ? 'page' : null },
      icon(name),
      say(`nav-${name}`),
    )));
  }
}

function showWhere() {
  const place = byId('where');
  if (place) place.textContent = table.state?.night ? whereText(table.state) : '';
}

function isHere(href) {
  const [path, hash = ''] = href.split('#');
  return location.pathname.replace(/^\/$/, '/phone') === path
    && (location.hash.slice(1) === hash || (!hash && location.hash !== '#table'));
}

export function languageChoice() {
  return h('select', {
    id: 'language',
    class: 'language',
    'aria-label': say('language'),
    onchange: (event) => speak(event.target.value, true),
  }, Object.entries(LANGUAGES).map(([code, name]) => h('option', {
    value: code, lang: code, selected: code === spoken(),
  }, name)));
}

export function themeButton() {
  const now = document.documentElement.dataset.theme ?? '';
  return h('button', {
    type: 'button',
    id: 'theme',
    class: 'plain',
    'aria-label': say(`theme-${now || 'system'}`),
    title: say(`theme-${now || 'system'}`),
    onclick: () => {
      const next = THEMES[(THEMES.indexOf(now) + 1) % THEMES.length];
      document.documentElement.dataset.theme = next;
      localStorage.setItem(THEME, next);
      byId('theme').replaceWith(themeButton());
    },
  }, icon(now || 'system'));
}

/** What went wrong, as a sentence for people. */
export function troubleText(error) {
  if (error instanceof Unreachable) return say('unreachable');
  if (error instanceof Refused) {
    if (error.status === 401) return say('scan-again');
    if (error.problem.id === 'bad-field') return fieldText(error.problem);
    return [error.problem.title, error.problem.detail].filter(Boolean).join(' ') || say('trouble');
  }
  return say('trouble');
}

/** Why a field cannot be so, without the name that only programs know. */
export const fieldText = ({ field, detail }) => detail.replace(`${field}: `, '');

export function tellTrouble(error) {
  console.warn(error);
  toast(troubleText(error), 9000);
}

/** The table's state: what it was last, and everybody who wants to know of changes. */
export const table = {
  state: null,
  kiosk: null,
  listeners: new Set(),
  listen(act) {
    this.listeners.add(act);
    if (this.state) act(this.state);
  },
  /** Once the table is known, or after a moment without it: a photo must not miss what it says. */
  soon(patience = 2000) {
    if (this.state) return Promise.resolve();
    return new Promise((known) => {
      const act = () => {
        this.listeners.delete(act);
        known();
      };
      this.listeners.add(act);
      setTimeout(act, patience);
    });
  },
  take(state) {
    this.state = state;
    for (const act of this.listeners) act(state);
  },
  /** Follow the table through server-sent events; the browser connects again by itself. */
  follow(onKiosk = () => {}, onConfig = () => {}) {
    this.source?.close();
    const source = new EventSource(inLanguage('/api/table/events'));
    this.source = source;
    source.addEventListener('table', (event) => this.take(JSON.parse(event.data)));
    source.addEventListener('kiosk', (event) => onKiosk(JSON.parse(event.data)));
    source.addEventListener('config', onConfig);
    source.addEventListener('open', () => document.body.classList.remove('cut-off'));
    source.addEventListener('error', () => {
      document.body.classList.add('cut-off');
      if (source.readyState === EventSource.CLOSED) {
        setTimeout(() => this.source === source && this.follow(onKiosk, onConfig), 3000);
      }
    });
  },
};

/** "East round · An deals · stayed on 2" */
export function whereText(state) {
  if (!state?.night) return say('no-night');
  const facts = [say('round-of', { wind: state.round_name }), say('deals', { player: state.dealer })];
  if (state.streak) facts.push(say('stayed-on', { n: state.streak }));
  return facts.join(' · ');
}
