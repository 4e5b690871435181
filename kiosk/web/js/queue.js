// Photos that could not be sent wait in the browser's own store and are tried again: when the
// network is back, when the page is looked at, and every few seconds.

const NAME = 'hupai';
const STORE = 'photos';

function opened() {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore(STORE, { keyPath: 'id', autoIncrement: true });
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

async function inStore(mode, act) {
  const db = await opened();
  try {
    return await new Promise((resolve, reject) => {
      const transaction = db.transaction(STORE, mode);
      const request = act(transaction.objectStore(STORE));
      transaction.oncomplete = () => resolve(request.result);
      transaction.onerror = () => reject(transaction.error);
      transaction.onabort = () => reject(transaction.error);
    });
  } finally {
    db.close();
  }
}

/** Keep a photo with its facts; resolves with its number. Bytes, since Safari loses blobs. */
export async function keep(file, facts) {
  const bytes = await file.arrayBuffer();
  const photo = { bytes, type: file.type, name: file.name ?? 'photo.jpg', facts, at: Date.now() };
  return inStore('readwrite', (store) => store.add(photo));
}

export const kept = () => inStore('readonly', (store) => store.getAll());
export const drop = (id) => inStore('readwrite', (store) => store.delete(id));

export const fileOf = (photo) => new File([photo.bytes], photo.name, { type: photo.type });

/** Call `attempt` now and whenever it may work again; never twice at once. */
export function retrying(attempt, everyMs = 8000) {
  let busy = false;
  const run = async () => {
    if (busy || document.visibilityState === 'hidden') return;
    busy = true;
    try {
      await attempt();
    } finally {
      busy = false;
    }
  };
  window.addEventListener('online', run);
  document.addEventListener('visibilitychange', run);
  setInterval(run, everyMs);
  return run;
}
