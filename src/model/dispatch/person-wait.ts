// Waits that a person ends: by an answer, by letting a run continue, by a message.

import type { RequestAsk } from '../asks/ask.ts';
import { mayGoOn } from '../asks/asks-alone.ts';
import { openAskAbout } from '../asks/find-asks.ts';
import { pauseOf } from '../core/pause.ts';
import type { Run, Task } from '../core/run.ts';
import type { Wait } from './wait.ts';

export function askWait(run: Run, task: Task): Wait | null {
  const open = openAskAbout(run, task);
  if (open === null) return null;
  const { id: askId, kind: ask, message, openedAt: since } = open;
  const timeoutMs = ask === 'gate' ? (task.spec.gate?.timeoutMs ?? null) : null;
  const until = timeoutMs === null ? null : since + timeoutMs;
  return { kind: 'ask', until, owner: 'person', detail: { askId, ask, tool: null, line: firstLine(message), since } };
}

export function requestWait({ id: askId, kind: ask, request: { tool, questions }, openedAt: since }: RequestAsk): Wait {
  const line = firstLine(questions?.[0]?.question ?? '');
  const detail = { askId, ask, tool: questions === undefined ? tool : null, line, since };
  return { kind: 'ask', until: null, owner: 'person', detail };
}

export function pauseWait(run: Run): Wait | null {
  const pause = pauseOf(run);
  if (pause === null) return null;
  const { of, by, at: since } = pause;
  return { kind: 'pause', until: null, owner: 'person', detail: { of, by, since } };
}

/** Null once a person has sent a message. */
export function interruptWait(run: Run, task: Task): Wait | null {
  const parked = task.attempt?.parking.parked;
  if (parked?.why.kind !== 'interrupt' || mayGoOn(run, task, parked.why)) return null;
  return { kind: 'interrupt', until: null, owner: 'person', detail: { by: parked.why.by, since: parked.at } };
}

/** The inbox shows the whole text. */
function firstLine(message: string): string {
  const line = message.trim().split('\n', 1)[0] ?? '';
  return line.length > lineMax ? `${line.slice(0, lineMax)}…` : line;
}

const lineMax = 120;
