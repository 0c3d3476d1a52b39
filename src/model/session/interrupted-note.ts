// The note to an agent whose process ended in the middle of its work and was started again. Bounded: the calls are the agent's
// own text.

import type { Unheard } from './answered-calls.ts';

export function interruptedNote(inFlight: readonly string[], unheard: Unheard | null, stalled: boolean): string {
  const { done, messages } = unheard ?? { done: [], messages: [] };
  return [
    stalled
      ? 'You had printed nothing for so long that your process was ended and has been started again. If something takes ' +
        'long, let it tell how far it is.'
      : 'Your process was interrupted and has been started again.',
    inFlight.length === 0
      ? 'A command that was running may have taken effect in part or in whole: look before you repeat it.'
      : `${underWay(inFlight)} They may have taken effect in part or in whole: look before you repeat them.`,
    ...(done.length === 0 ? [] : [`You have done this already, do not do it again:${linesOf(done.toReversed())}\n`]),
    ...(messages.length === 0 ? [] : [messagesAgain(messages)]),
    'Then go on with your task.',
  ].join(' ');
}

/** The first ones: an agent that missed more finds the rest from there. */
function messagesAgain(messages: readonly string[]): string {
  const named = messages.slice(0, messagesMax).join(', ');
  const more = messages.length > messagesMax ? ` and ${messages.length - messagesMax} after them` : '';
  return `You took these messages and may not have read them: ${named}${more}. read_inbox with "message" gives each again.\n`;
}

const messagesMax = 40;
const callsMax = 8;
const callMax = 160;

/** The calls that had begun, one per line. */
export function underWay(calls: readonly string[]): string {
  return `These were under way:${linesOf(calls)}\n`;
}

function linesOf(calls: readonly string[]): string {
  const named = calls.slice(0, callsMax).map((call) => `\n- ${oneLine(call)}`);
  const more = calls.length > callsMax ? `\n- and ${calls.length - callsMax} more` : '';
  return named.join('') + more;
}

function oneLine(call: string): string {
  const line = call.replaceAll(/\s+/g, ' ').trim();
  return line.length > callMax ? `${line.slice(0, callMax)} …` : line;
}
