// Live: the camera's picture with the overlay following it, hints while pointing, locked once the
// hand has settled. Frames are posted one by one, so a slow network only makes it slower.

import { Refused, post } from './api.js';
import { h, show } from './dom.js';
import { situationOf } from './facts.js';
import { overlay } from './overlay.js';
import { table, troubleText } from './shell.js';
import { inLanguage, say } from './words.js';

const LONGER_SIDE_PX = 1280;
const QUALITY = 0.82;
const TRY_AGAIN_MS = 4000;

export class Live {
  /** `locked(reading)` is called once; `left()` when the person goes back. */
  constructor(root, locked, left) {
    this.root = root;
    this.locked = locked;
    this.left = left;
    this.on = false;
  }

  async start() {
    if (this.on) return;
    this.on = true;
    if (!navigator.mediaDevices?.getUserMedia) {
      this.say(say('live-needs-https'), false);
      return;
    }
    this.layout();
    try {
      this.stream = await navigator.mediaDevices.getUserMedia({
        video: { facingMode: 'environment', width: { ideal: 1920 }, height: { ideal: 1080 } },
      });
    } catch (error) {
      this.say(say(error.name === 'NotAllowedError' ? 'camera-refused' : 'no-camera'));
      return;
    }
    if (!this.on) {
      this.stop();
      return;
    }
    this.video.srcObject = this.stream;
    await this.video.play().catch(() => {});
    this.run();
  }

  stop() {
    this.on = false;
    for (const track of this.stream?.getTracks() ?? []) track.stop();
    this.stream = null;
    if (this.id) fetch(`/api/live/${this.id}`, { method: 'DELETE', keepalive: true }).catch(() => {});
    this.id = null;
    this.root.replaceChildren();
  }

  layout() {
    this.video = h('video', { playsinline: true, muted: true, 'aria-label': say('camera-picture') });
    this.video.muted = true;
    this.marks = h('div', { class: 'marks' });
    this.hint = h('p', { class: 'live-hint', role: 'status' }, say('point'));
    show(this.root, h('section', { class: 'card stack' },
      h('figure', { class: 'picture live-picture' }, this.video, this.marks, this.hint),
      h('button', { type: 'button', id: 'leave-live', onclick: () => this.left() }, say('back'))));
  }

  say(text, back = true) {
    show(this.root, h('section', { class: 'card stack' },
      h('h1', {}, say('live')),
      h('p', { role: 'alert' }, text),
      !back && h('p', { class: 'soft small' }, say('live-instead')),
      h('button', { type: 'button', class: 'main-button', onclick: () => this.left() }, say('back'))));
  }

  async run() {
    const canvas = document.createElement('canvas');
    let n = 0;
    let pause = 250;
    while (this.on) {
      const began = performance.now();
      try {
        if (!this.id) {
          const opened = await post(inLanguage('/api/live'), { situation: situationOf(table.state) });
          this.id = opened.id;
          pause = 1000 / opened.rate;
          n = 0;
        }
        const jpeg = await this.frame(canvas);
        if (jpeg && this.on) this.take(await this.post(jpeg, n += 1));
      } catch (error) {
        if (!this.on) return;
        if (error instanceof Refused && error.status === 404) this.id = null;
        else {
          this.hint.textContent = troubleText(error);
          await wait(TRY_AGAIN_MS);
        }
      }
      await wait(Math.max(0, pause - (performance.now() - began)));
    }
  }

  async frame(canvas) {
    const { videoWidth: width, videoHeight: height } = this.video;
    if (!width) return null;
    const scale = Math.min(1, LONGER_SIDE_PX / Math.max(width, height));
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    canvas.getContext('2d').drawImage(this.video, 0, 0, canvas.width, canvas.height);
    return new Promise((resolve) => { canvas.toBlob(resolve, 'image/jpeg', QUALITY); });
  }

  async post(jpeg, n) {
    const answer = await fetch(inLanguage(`/api/live/${this.id}/frames?n=${n}`), {
      method: 'POST', headers: { 'Content-Type': 'image/jpeg' }, body: jpeg,
    });
    const body = await answer.json();
    if (!answer.ok) throw new Refused(answer.status, body);
    return body;
  }

  take(seen) {
    if (!this.on || seen.dropped) return;
    const kinds = seen.tiles.map((tile) => ({ kind: tile.kind || 'not-of-this-hand' }));
    show(this.marks, overlay({
      ...seen, tiles: seen.tiles.map((tile, k) => ({ ...tile, group: k })), groups: kinds,
    }));
    this.hint.textContent = this.hintText(seen);
    if (!seen.settled || !seen.reading) return;
    const { reading } = seen;
    navigator.vibrate?.(60);
    this.locked(reading);
  }

  hintText(seen) {
    if (seen.hints.length) return seen.hints[0].text;
    if (seen.moving) return say('hold-still');
    return say(seen.tiles.length ? 'tiles-seen' : 'point', { n: seen.tiles.length });
  }
}

const wait = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });
