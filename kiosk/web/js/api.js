// Talking to the server: JSON, problem+json errors as sentences, a key for each tap.

/** An answer that is no success; `problem` is what the server said. */
export class Refused extends Error {
  constructor(status, problem) {
    super(problem.detail || problem.title || String(status));
    this.status = status;
    this.problem = problem;
  }
}

/** No answer came at all: the network or the server is away. */
export class Unreachable extends Error {}

async function ask(address, options) {
  let answer;
  try {
    answer = await fetch(address, { credentials: 'same-origin', ...options });
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw new Unreachable(String(error.message));
  }
  if (answer.status === 204) return null;
  const text = await answer.text();
  let body;
  try {
    body = text ? JSON.parse(text) : null;
  } catch {
    body = null;
  }
  if (!answer.ok) throw new Refused(answer.status, body ?? {});
  return body;
}

export const get = (address, options = {}) => ask(address, options);

/** POST or PUT of JSON. `key` makes a repeated request count once. */
export function send(method, address, body, key = '') {
  const headers = { 'Content-Type': 'application/json' };
  if (key) headers['Idempotency-Key'] = key;
  return ask(address, { method, headers, body: JSON.stringify(body) });
}

export const post = (address, body, key = '') => send('POST', address, body, key);

/** A key for one tap; the same tap sent again carries the same key. */
export function freshKey() {
  if (crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16)); // plain HTTP has no randomUUID
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Post a form and hear how far it is (0 to 1). fetch cannot tell, so this one is an XHR. */
export function upload(address, form, onProgress = () => {}) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', address);
    request.responseType = 'json';
    request.timeout = 60000;
    request.upload.onprogress = (event) => {
      if (event.lengthComputable) onProgress(event.loaded / event.total);
    };
    request.onload = () => {
      if (request.status >= 200 && request.status < 300) resolve(request.response);
      else reject(new Refused(request.status, request.response ?? {}));
    };
    request.onerror = () => reject(new Unreachable('no answer'));
    request.ontimeout = () => reject(new Unreachable('no answer in time'));
    request.send(form);
  });
}
