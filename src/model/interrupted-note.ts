// What an agent is told whose process was ended in the middle of its work and started again. Bounded: the calls are the
// agent's own words.

export function interruptedNote(inFlight: readonly string[], stalled: boolean): string {
  return [
    stalled
      ? 'You had printed nothing for so long that your process was ended and has been started again. If something takes ' +
        'long, let it tell how far it is.'
      : 'Your process was interrupted and has been started again.',
    inFlight.length === 0
      ? 'A command that was running may have taken effect in part or in whole: look before you repeat it.'
      : `${underWay(inFlight)} They may have taken effect in part or in whole: look before you repeat them.`,
    'Then go on with your task.',
  ].join(' ');
}

const callsMax = 8;
const callMax = 160;

/** The calls that had begun, in lines. */
export function underWay(calls: readonly string[]): string {
  const named = calls.slice(0, callsMax).map((call) => `\n- ${oneLine(call)}`);
  const more = calls.length > callsMax ? `\n- and ${calls.length - callsMax} more` : '';
  return `These were under way:${named.join('')}${more}\n`;
}

function oneLine(call: string): string {
  const line = call.replaceAll(/\s+/g, ' ').trim();
  return line.length > callMax ? `${line.slice(0, callMax)} …` : line;
}
