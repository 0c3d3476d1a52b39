// A failing history for a person who debugs its seed: what is wrong, then what happened to the tasks concerned.

import type { WorldEntry } from '../world/world-entries.ts';
import { parse } from './attempts/output-rules.ts';
import type { History, HistoryEvent } from './history.ts';
import type { Violation } from './view/view.ts';

const violationsMax = 12;
const linesMax = 60;
const lineLengthMax = 180;

export function describe(history: History, violations: readonly Violation[]): string {
  const told = violations.slice(0, violationsMax).map(({ invariant, what }) => `  [${invariant}] ${short(what)}`);
  const more = violations.length > violationsMax ? [`  … and ${violations.length - violationsMax} more`] : [];
  const lines = timeline(history, concerned(history, violations));
  return [`${violations.length} violations:`, ...told, ...more, 'What happened:', ...middleCut(lines)].join('\n');
}

interface Concern {
  /** To which task each id belongs. */
  readonly owner: ReadonlyMap<string, string>;
  /** null: everything concerns us. */
  readonly tasks: ReadonlySet<string> | null;
}

const idPattern = /\b(?:task|attempt|agent|launch|message)_[\w-]+/g;
const ownFields = ['launchId', 'agentId', 'recordId', 'attemptId'];

/** The tasks that the violations name, by themselves or by something of theirs. */
function concerned(history: History, violations: readonly Violation[]): Concern {
  const owner = new Map<string, string>();
  for (const events of history.streams.values()) {
    for (const event of events) {
      const data = parse(event.data) ?? {};
      const ids = ownFields.map((field) => data[field]).filter((id) => typeof id === 'string');
      const taskId = typeof data['taskId'] === 'string' ? data['taskId'] : undefined;
      const task = taskId ?? ids.map((id) => owner.get(id)).find((id) => id !== undefined);
      if (task !== undefined) for (const id of ids) owner.set(id, task);
    }
  }
  const tasks = new Set<string>();
  for (const { what } of violations.slice(0, violationsMax)) {
    for (const [id] of what.matchAll(idPattern)) tasks.add(id.startsWith('task_') ? id : (owner.get(id) ?? id));
  }
  return { owner, tasks: tasks.size === 0 ? null : tasks };
}

function timeline({ streams, world, commits }: History, concern: Concern): string[] {
  const lines: string[] = [];
  const heads = new Map<string, number>();
  let next = 0;
  for (let index = 0; index <= world.length; index++) {
    for (let commit = commits[next]; commit !== undefined; commit = commits[next]) {
      if (commit.worldIndex > index && index < world.length) break;
      next += 1;
      for (const [stream, head] of commit.heads) {
        for (const event of (streams.get(stream) ?? []).slice(heads.get(stream) ?? 0, head)) {
          if (concerns(concern, event.data, event.type)) lines.push(`commit ${next}: ${eventLine(event)}`);
        }
        heads.set(stream, head);
      }
    }
    const entry = world[index];
    if (entry !== undefined && concerns(concern, JSON.stringify(entry), entry.kind))
      lines.push(worldLine(entry, index));
  }
  return lines.map((line) => (line.length > lineLengthMax ? `${line.slice(0, lineLengthMax)}…` : line));
}

const alwaysTold = new Set([
  'run.stopAsked',
  'run.ended',
  'run.resumed',
  'hostGone',
  'healed',
  'engineKilled',
  'engineUp',
]);

function concerns({ owner, tasks }: Concern, text: string, kind: string): boolean {
  if (tasks === null || alwaysTold.has(kind)) return true;
  for (const [id] of text.matchAll(idPattern)) if (tasks.has(owner.get(id) ?? id)) return true;
  return false;
}

function eventLine({ stream, seq, at, type, data }: HistoryEvent): string {
  return short(`${stream} #${seq} at ${at} ${type} ${data}`);
}

function worldLine({ t, kind, ...rest }: WorldEntry, index: number): string {
  const facts = Object.entries(rest).map(([key, value]) => `${key}=${String(value).trimEnd()}`);
  return short(`       world ${index} at ${t}: ${kind} ${facts.join(' ')}`);
}

/** Of a minted id its last characters tell it from its otherRuns. */
function short(text: string): string {
  return text.replaceAll(/\b([a-z]+_)[0-9a-z]{21}([0-9a-z]{5})\b/g, '$1…$2');
}

/** The beginning shows the cause, the end how it broke. */
function middleCut(lines: readonly string[]): readonly string[] {
  if (lines.length <= linesMax) return lines;
  const first = 15;
  const last = linesMax - first - 1;
  const cut = `  … ${lines.length - first - last} lines left out …`;
  return [...lines.slice(0, first), cut, ...lines.slice(-last)];
}
