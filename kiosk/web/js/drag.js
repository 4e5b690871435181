// Dragging a tile or a whole group onto another group, with mouse, pen or finger.

const SLACK_PX = 8;

/**
 * Let `handle` be dragged; `dropped(group key)` is called over an element with `data-group-key`.
 * A press without movement stays a click.
 */
export function draggable(handle, dropped) {
  handle.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    const start = [event.clientX, event.clientY];
    let ghost = null;
    let over = null;

    const move = (at) => {
      const far = Math.hypot(at.clientX - start[0], at.clientY - start[1]);
      if (!ghost && far < SLACK_PX) return;
      if (!ghost) {
        ghost = ghostOf(handle);
        handle.addEventListener('click', swallow, { capture: true, once: true });
      }
      ghost.style.left = `${at.clientX - 20}px`;
      ghost.style.top = `${at.clientY - 30}px`;
      const target = document.elementFromPoint(at.clientX, at.clientY)?.closest('[data-group-key]');
      if (target !== over) {
        over?.classList.remove('drop');
        target?.classList.add('drop');
        over = target;
      }
    };
    const end = (at) => {
      window.removeEventListener('pointermove', move);
      window.removeEventListener('pointerup', end);
      window.removeEventListener('pointercancel', end);
      if (!ghost) return;
      ghost.remove();
      over?.classList.remove('drop');
      setTimeout(() => handle.removeEventListener('click', swallow, { capture: true }));
      if (at.type === 'pointerup' && over) dropped(over.dataset.groupKey);
    };
    window.addEventListener('pointermove', move);
    window.addEventListener('pointerup', end);
    window.addEventListener('pointercancel', end);
  });
}

function ghostOf(handle) {
  const ghost = handle.closest('.group > header')?.parentElement.querySelector('.tiles') ?? handle;
  const copy = ghost.cloneNode(true);
  copy.classList.add('ghost');
  copy.removeAttribute('id');
  copy.style.width = `${ghost.getBoundingClientRect().width}px`;
  document.body.append(copy);
  return copy;
}

function swallow(event) {
  event.preventDefault();
  event.stopImmediatePropagation();
}
