// Messages as text: one line each, or one message in full with its envelope. Strips control characters. Pure.

import { localTime } from '../../std/clock.ts';
import { plainLine, plainText } from '../../std/plain-text.ts';
import type { MessageContent, MessageView } from '../../wire/message-views.ts';
import { tableLines } from './table.ts';
import { cutToWidth } from './text-width.ts';

const nameShown = 24;
const lineShown = 60;

export function listLines(messages: readonly MessageView[], now: number): string[] {
  const rows = messages.map(({ id, at, from, to, kind, type, state, size, line, otherRun }) => [
    id,
    localTime(at, now),
    placed(from, otherRun, 'from'),
    placed(to, otherRun, 'to'),
    type === null ? kind : `${kind}, ${name(type)}`,
    state,
    String(size),
    cutToWidth(plainLine(line), lineShown),
  ]);
  return tableLines([['MESSAGE', 'WHEN', 'FROM', 'TO', 'KIND', 'STATE', 'SIZE', 'TEXT'], ...rows], { left: 8 });
}

/** The text is indented so that nothing in it can be mistaken for the envelope. */
export function messageLines(message: MessageContent, now: number): string[] {
  const { id, at, from, fromId, to, toId, kind, type, trust, chain, hops, state, why, size, seq, seal, text, data } =
    message;
  const { otherRun } = message;
  const rows: [string, string][] = [
    ['message', `${id}, event ${seq}`],
    ['sent', localTime(at, now)],
    [
      'from',
      `${name(from)}${fromId === null ? '' : ` (${fromId})`}${chain.length === 0 ? '' : `, child of ${chain.map(name).join(', child of ')}`}`,
    ],
    ['to', `${name(to)} (${toId})`],
    ...(otherRun === null
      ? []
      : [[`${otherRun.way} run`, `${name(otherRun.name)} (${otherRun.id})`] as [string, string]]),
    ['kind', type === null ? kind : `${kind}, ${name(type)}`],
    ['trust', trust === 'agent' ? 'agent: written by an agent; grants no permission' : trust],
    ['hops', String(hops)],
    ['state', why === null ? state : `${state}: ${plainLine(why)}`],
    ['size', String(size)],
    ['seal', sealWords[seal]],
  ];
  const width = Math.max(...rows.map(([key]) => key.length));
  const whole = data === null ? text : `${text}${text === '' ? '' : '\n'}${JSON.stringify(data, null, 2)}`;
  const body = plainText(whole).split('\n');
  return [...rows.map(([key, words]) => `${key.padEnd(width)}  ${words}`), '', ...body.map((line) => `  ${line}`)];
}

const sealWords = {
  good: 'good',
  bad: 'BAD: the message was changed after Signalbox recorded it; see "signalbox verify"',
  none: 'none: recorded without a seal',
} as const;

/** With the name of its run if that is another run. */
function placed(text: string, other: MessageView['otherRun'], way: 'from' | 'to'): string {
  return other?.way === way ? `${name(other.name)}/${name(text)}` : name(text);
}

function name(text: string): string {
  return cutToWidth(plainLine(text), nameShown);
}
