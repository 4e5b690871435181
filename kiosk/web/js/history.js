// What was booked, as one line in the language of the page.

import { say } from './words.js';

const NAMES = {
  draw: 'draw', 'false-win': 'false-win', penalty: 'penalty', seats: 'change-seats',
  players: 'change-player', correction: 'correction', deal: 'deal', rules: 'rules', start: 'begin',
};

/** One event of the table's history. */
export function eventText({ kind, body, outcome }) {
  if (kind === 'win') return winText(body, outcome);
  const name = say(NAMES[kind] ?? kind);
  if (kind === 'players') return `${name}${say('colon')}${body.out} → ${body.in}`;
  if (kind === 'seats') return `${name}${say('colon')}${body.players.join(' · ')}`;
  return body?.offender ? `${name}${say('colon')}${body.offender}` : name;
}

function winText(body, outcome) {
  const winners = body.winners.map((winner) => {
    const won = outcome?.wins?.find((row) => row.player === winner.player);
    const total = won?.total ?? winner.total;
    return total === undefined ? winner.player : `${winner.player} ${total}`;
  }).join(say('comma'));
  return `${winners}${say('comma')}${body.from ? say('from', { player: body.from })
    : say('self-drawn')}`;
}
