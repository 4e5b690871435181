// Small line drawings of our own; letters that phones may show as emoji are not used.

import { s } from './dom.js';

const PATHS = {
  photo: 'M3 8h4l2-3h6l2 3h4v12H3zM12 10.2a3.8 3.8 0 1 0 0 7.6 3.8 3.8 0 0 0 0-7.6z',
  kiosk: 'M3 5h18v11H3zM12 16v4M8 20h8',
  enter: 'M4 20l1-4.5L16.5 4 20 7.5 8.5 19zM14 6.5l3.5 3.5',
  table: 'M6 6h12v12H6zM12 1.6v1.8M12 20.6v1.8M1.6 12h1.8M20.6 12h1.8M9.2 9.2h5.6v5.6H9.2z',
  practice: 'M12 6C9.5 4.2 6.5 4 3 4.5v14c3.5-.5 6.5-.3 9 1.5 2.5-1.8 5.5-2 9-1.5v-14C17.5 4 14.5 4.2 12 6zM12 6v14',
  settings: 'M4 7h9M17 7h3M4 17h3M11 17h9M15 4.8v4.4M9 14.8v4.4',
  system: 'M12 3.5a8.5 8.5 0 1 0 0 17zM12 3.5a8.5 8.5 0 0 1 0 17',
  light: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v2.5M12 19.5V22M2 12h2.5M19.5 12H22M5 5l1.7 1.7M17.3 17.3 19 19M5 19l1.7-1.7M17.3 6.7 19 5',
  dark: 'M20 14.5A8.5 8.5 0 1 1 9.5 4a7 7 0 0 0 10.5 10.5z',
  full: 'M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5',
};

/** A drawing of one of PATHS, in the colour of the text around it. */
export const icon = (name) => s(
  'svg',
  { class: 'icon', viewBox: '0 0 24 24', 'aria-hidden': 'true' },
  s('path', { d: PATHS[name], class: name === 'system' ? 'half' : null }),
);
