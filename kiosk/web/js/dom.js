// Making elements, and showing them again without losing the keyboard's place.

const SVG = 'http://www.w3.org/2000/svg';

/** An element. `on…` are listeners, `class` and `data-…` attributes, `false` and null leave out. */
export function h(tag, facts = {}, ...children) {
  return dress(document.createElement(tag), facts, children);
}

/** The same for SVG. */
export function s(tag, facts = {}, ...children) {
  return dress(document.createElementNS(SVG, tag), facts, children);
}

function dress(element, facts, children) {
  for (const [name, value] of Object.entries(facts)) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'value' || name === 'checked' || name === 'selected') element[name] = value;
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.flat(3).filter((child) => child !== null && child !== false
    && child !== undefined));
  return element;
}

/** Put `children` into `root`; what had the focus has it again if an element of its id is there. */
export function show(root, ...children) {
  const held = root.contains(document.activeElement) ? document.activeElement.id : '';
  const open = new Set([...root.querySelectorAll('details[open][id]')].map((d) => d.id));
  root.replaceChildren(...children.flat(3).filter((child) => child));
  for (const id of open) root.querySelector(`#${CSS.escape(id)}`)?.setAttribute('open', '');
  if (held) document.getElementById(held)?.focus({ preventScroll: true });
}

export const byId = (id) => document.getElementById(id);

/** A sentence in a corner for a few seconds; read out by screen readers. */
export function toast(text, ms = 5000) {
  const place = byId('toast');
  if (!place) return;
  place.textContent = text;
  clearTimeout(toast.timer);
  toast.timer = setTimeout(() => { place.textContent = ''; }, ms);
}

/** A call that waits until `ms` have passed without another. */
export function later(ms, act) {
  let timer;
  return (...facts) => {
    clearTimeout(timer);
    timer = setTimeout(() => act(...facts), ms);
  };
}

/** Call `act` when the element is held for half a second; a click that follows does not count. */
export function onHold(element, act, ms = 550) {
  let timer;
  let from;
  const stop = () => clearTimeout(timer);
  element.addEventListener('pointerdown', (event) => {
    from = [event.clientX, event.clientY];
    timer = setTimeout(() => {
      element.addEventListener('click', swallow, { capture: true, once: true });
      setTimeout(() => element.removeEventListener('click', swallow, { capture: true }), 700);
      act(event);
    }, ms);
  });
  element.addEventListener('pointermove', (event) => {
    if (from && Math.hypot(event.clientX - from[0], event.clientY - from[1]) > 8) stop();
  });
  for (const end of ['pointerup', 'pointercancel', 'pointerleave']) {
    element.addEventListener(end, stop);
  }
  element.addEventListener('contextmenu', (event) => event.preventDefault());
}

function swallow(event) {
  event.preventDefault();
  event.stopImmediatePropagation();
}
