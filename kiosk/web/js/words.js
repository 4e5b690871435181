// Sentences in three languages: the page's own from /static/words, names of tiles and items from
// the server. `speak` changes the language at once, without loading the page again.

export const LANGUAGES = { en: 'English', 'zh-Hant': '繁體中文', 'zh-Hans': '简体中文' };
const KEPT = 'hupai-language';

let language = 'en';
let own = {};
let names = {};

export const spoken = () => language;

/** The language chosen on this device, else `fallback` from the table, else the browser's. */
export function wanted(fallback = '') {
  const kept = localStorage.getItem(KEPT);
  if (kept in LANGUAGES) return kept;
  if (fallback in LANGUAGES) return fallback;
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
  const [fresh, known] = await Promise.all([
    loaded(`/static/words/${chosen}.json`),
    loaded(`/api/names?lang=${chosen}`).catch(() => ({})),
  ]);
  language = chosen;
  own = fresh;
  names = known;
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

/** A name the scorer gives: sections tiles, winds, units, questions, events, parts, reasons… */
export const named = (section, id) => names[section]?.[id] ?? id;

export const rulesName = (id) => named('rulesets', id);
export const windName = (wind) => named('winds', wind);
export const tileName = (code) => named('tiles', code);

/** {name, text} of an item of a rule set. */
export const item = (ruleset, id) => names.items?.[ruleset]?.[id] ?? { name: id, text: '' };

/** A question of a reading or a result, `event:…` included. */
export function questionText(id, fallback = '') {
  if (id.startsWith('event:')) {
    const event = named('events', id.slice(6));
    return named('questions', 'event').replace('{event}', event);
  }
  return names.questions?.[id] ?? (fallback || id);
}

export const adviceText = (advice) => names.advice?.[advice.id] ?? advice.text;

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
  return `${low === high ? low : `${low}–${high}`} ${named('units', unit)}`;
}
