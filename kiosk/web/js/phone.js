// The phone: take a photo, see the tiles and the receipt, put right, book. Live and the table too.

import { Refused, Unreachable, upload } from './api.js';
import { byId, h, show, toast } from './dom.js';
import { allRules, situationOf } from './facts.js';
import { Live } from './live.js';
import { drop, fileOf, keep, kept, retrying } from './queue.js';
import { ReadingView } from './readingview.js';
import { start, table, tellTrouble, troubleText } from './shell.js';
import { tableView } from './tableview.js';
import { heldNote } from './together.js';
import { inLanguage, onLanguage, say } from './words.js';

const places = {};
let view;
let live;

async function begin() {
  for (const name of ['home', 'waiting', 'result', 'table', 'live']) places[name] = byId(name);
  const { config, session } = await start();
  await allRules().catch(() => {});
  if (config && !config.values.first_start_done && session && !session.lan) {
    places.first = h('p', { class: 'notice' }, h('a', { href: '/settings' }, say('first-start')));
  }
  view = new ReadingView(places.result, () => home(), { explain: true });
  live = new Live(places.live, (reading) => opened(reading), () => home());
  table.listen(() => tableView(places.table, table.state));
  onLanguage(() => {
    table.follow();
    route();
    showWaiting();
  });
  table.follow();
  window.addEventListener('hashchange', route);
  route();
  const retry = retrying(sendKept);
  await showWaiting();
  retry();
}

/** What is shown follows the address: the table, live, a reading, or the start. */
function route() {
  const wanted = location.hash.slice(1);
  const reading = view.session && wanted === '';
  places.table.hidden = wanted !== 'table';
  places.live.hidden = wanted !== 'live';
  places.result.hidden = !reading;
  places.home.hidden = wanted !== '' || reading;
  if (wanted === 'live') live.start();
  else live.stop();
  if (!places.home.hidden) show(places.home, homeCard());
}

function home() {
  view.close();
  if (location.hash) location.hash = '';
  route();
}

function opened(reading) {
  view.open(reading);
  if (location.hash) location.hash = '';
  route();
  window.scrollTo(0, 0);
}

function homeCard() {
  const take = picker('take-photo', true);
  const choose = picker('choose-photo', false);
  return h('section', { class: 'card stack home-card' },
    places.first,
    heldNote(table.state, route),
    h('div', { class: 'fan', 'aria-hidden': 'true' }, ['1m', '9p', '1s', '7z', '6z'].map(
      (code) => h('img', { src: `/static/tiles/${code}.svg`, alt: '' }),
    )),
    h('h1', {}, say('photo-title')),
    h('p', { class: 'soft' }, say('photo-hint')),
    take,
    h('div', { class: 'row two' }, choose,
      h('a', { class: 'button', href: '#live', id: 'go-live' }, say('live'))),
    h('a', { class: 'button plain', href: '/enter' }, say('without-camera')));
}

function picker(key, camera) {
  return h('label', { class: `button ${camera ? 'main-button big' : ''}` }, say(key), h('input', {
    type: 'file',
    id: key,
    class: 'only-read',
    accept: 'image/*',
    capture: camera ? 'environment' : null,
    onchange: (event) => {
      const [file] = event.target.files;
      event.target.value = '';
      if (file) table.soon().then(() => read(file, situationOf(table.state)));
    },
  }));
}

/** Send a photo, showing it with how far it is; without an answer it is kept and tried again. */
async function read(file, situation) {
  const picture = URL.createObjectURL(file);
  const bar = h('progress', { max: 1, value: 0, 'aria-label': say('sending') });
  const text = h('p', { role: 'status' }, say('sending'));
  show(places.home, h('section', { class: 'card stack' },
    h('figure', { class: 'picture' }, h('img', { src: picture, alt: say('photo-alt') })), text, bar));
  try {
    opened(await sent(file, situation, (part) => {
      bar.value = part;
      if (part >= 1) {
        bar.removeAttribute('value');
        text.textContent = say('reading');
      }
    }));
  } catch (error) {
    if (error instanceof Unreachable || [503, 429].includes(error.status)) {
      await keep(file, situation);
      await showWaiting();
      toast(say('photo-kept'), 8000);
      route();
    } else {
      show(places.home, h('section', { class: 'card stack' },
        h('div', { class: 'notice bad', role: 'alert' }, troubleText(error)), homeCard()));
    }
  } finally {
    URL.revokeObjectURL(picture);
  }
}

function sent(file, situation, onProgress) {
  const form = new FormData();
  form.append('picture', file, file.name || 'photo.jpg');
  form.append('situation', JSON.stringify(situation));
  return upload(inLanguage('/api/readings'), form, onProgress);
}

/** Photos that wait: tried in the order they were taken; the reading of the last one opens. */
async function sendKept() {
  for (const photo of await kept()) {
    try {
      const reading = await sent(fileOf(photo), photo.facts);
      await drop(photo.id);
      await showWaiting();
      if (!view.session && location.hash === '') opened(reading);
      toast(say('kept-sent'));
    } catch (error) {
      if (!(error instanceof Refused) || [503, 429].includes(error.status)) return; // later
      await drop(photo.id);
      await showWaiting();
      tellTrouble(error);
    }
  }
}

async function showWaiting() {
  const photos = await kept().catch(() => []);
  places.waiting.hidden = photos.length === 0;
  show(places.waiting, h('p', { class: 'notice', role: 'status' },
    say('photos-waiting', { n: photos.length })));
}

begin().catch(tellTrouble);
