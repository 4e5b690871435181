// A sheet over the page: a <dialog>, so that focus, Escape and the back of the page are right.

import { h } from './dom.js';
import { say } from './words.js';

/** Open a sheet; `fill(close)` gives its content. Resolves with what `close` was called with. */
export function openSheet(title, fill) {
  return new Promise((resolve) => {
    let result;
    const close = (value) => {
      result = value;
      dialog.close();
    };
    const heading = h('h2', { id: `sheet-${++openSheet.count}` }, title);
    const dialog = h(
      'dialog',
      {
        'aria-labelledby': heading.id,
        onclick: (event) => { if (event.target === dialog) close(); },
        onclose: () => {
          dialog.remove();
          resolve(result);
        },
      },
      h('div', { class: 'sheet' },
        h('div', { class: 'sheet-head' }, heading, h(
          'button',
          { type: 'button', class: 'plain', 'aria-label': say('close'), onclick: () => close() },
          '✕',
        )),
        fill(close)),
    );
    document.body.append(dialog);
    dialog.showModal();
  });
}
openSheet.count = 0;

/** Ask yes or no in a sheet; resolves with true or false. */
export async function confirmSheet(title, content, yes = say('confirm'), danger = false) {
  const answer = await openSheet(title, (close) => h(
    'div',
    { class: 'stack' },
    content,
    h('div', { class: 'row' },
      h('button', {
        type: 'button',
        class: danger ? 'danger' : 'main-button',
        onclick: () => close(true),
      }, yes),
      h('button', { type: 'button', onclick: () => close(false) }, say('cancel'))),
  ));
  return answer === true;
}
