// Sentences in three languages: the page's own from /static/words, names of tiles from the server
// (items and questions come named with each answer). `speak` changes the language at once.

export const LANGUAGES = { en: 'English', 'zh-Hant': '繁體中文', 'zh-Hans': '简体中文' };
const KEPT = 'hupai-language';

let language = 'en';
let own = {};
let tiles = null;

export const spoken = () => language;

/** The language chosen on this device, else `first` (the table's, for its screen), else the browser's. */
export function wanted(first = '') {
  const kept = localStorage.getItem(KEPT);
  if (kept in LANGUAGES) return kept;
  if (first in LANGUAGES) return first;
  const asked = navigator.languages.find((tag) => tag.startsWith('zh') || tag.startsWith('en'));
  if (!asked?.startsWith('zh')) return 'en';
  return /TW|HK|MO|Hant/.test(asked) ? 'zh-Hant' : 'zh-Hans';
}

async function loaded(address) {
  const answer = await fetch(address, { credentials: 'same-origin' });
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  return answer.json();
}

/** Speak a language from now on; everything that listens to `hupai:language` shows itself again. */
export async function speak(chosen, keep = false) {
  const [fresh, faces] = await Promise.all([
    loaded(`/static/words/${chosen}.json`),
    tiles ?? loaded('/api/tiles').then(byCode).catch(() => null),
  ]);
  language = chosen;
  own = fresh;
  tiles = faces;
  if (keep) localStorage.setItem(KEPT, chosen);
  document.documentElement.lang = chosen;
  sayAll(document);
  document.dispatchEvent(new CustomEvent('hupai:language'));
}

/** A sentence of the page; `{fields}` are filled in. An unknown key shows itself. */
export function say(key, facts = {}) {
  return (own[key] ?? key).replace(/\{(\w+)\}/g, (whole, name) => facts[name] ?? whole);
}

/** Whether the page has a sentence of its own for this key. */
export const says = (key) => key in own;

const byCode = (answer) => Object.fromEntries(answer.tiles.map((row) => [row.code, row.names]));

export const tileName = (code) => tiles?.[code]?.[language] ?? code;
export const windName = (wind) => say(`wind-${wind}`);

/** Fill every element under `root` that carries `data-say` or `data-say-label`. */
export function sayAll(root) {
  for (const element of root.querySelectorAll('[data-say]')) {
    element.textContent = say(element.dataset.say);
  }
  for (const element of root.querySelectorAll('[data-say-label]')) {
    element.setAttribute('aria-label', say(element.dataset.sayLabel));
  }
  const title = document.documentElement.dataset.title;
  if (title) document.title = `${say(title)} · 胡牌`;
}

export const onLanguage = (act) => document.addEventListener('hupai:language', act);

/** A whole number with a real minus sign; with a plus where it is gained. */
export function signed(amount) {
  if (amount > 0) return `+${amount}`;
  return String(amount).replace('-', '−');
}

/** Lowest and highest total as text. */
export function spanText(range, unit) {
  if (!range) return say('worth-none');
  const [low, high] = range;
  return `${low === high ? low : `${low}–${high}`} ${unit}`;
}

/** An address with the language in which the answer shall come. */
export const inLanguage = (address) => `${address}${address.includes('?') ? '&' : '?'}lang=${language}`;
