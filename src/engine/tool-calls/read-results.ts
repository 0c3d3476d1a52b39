// Lets an agent read another agent's results in parts of a bounded size; it gets the whole if it goes on reading.

import { type ArtifactId, attemptId, type LaunchId, launchId } from '../../model/core/ids.ts';
import type { Run, Task } from '../../model/core/run.ts';
import { findTask, isKnownTo } from '../../model/core/task-tree.ts';
import { quoted } from '../../model/messages/envelope.ts';
import { lastWords } from '../../model/session/last-words.ts';
import type { Ports } from '../../ports/engine-ports.ts';
import { type TextPart, textPart } from '../../std/characters.ts';
import { isFault } from '../../std/fault.ts';

const partMax = 12_000;

export interface ResultInput {
  readonly task?: string;
  /** In place of a task. */
  readonly artifact?: ArtifactId;
  /** In place of either: the log of a check. */
  readonly log?: string;
  readonly part?: 'result' | 'output' | 'transcript';
  readonly from?: number;
  /** For a transcript: which launch printed it, by number. */
  readonly process?: number;
}

interface ResultPorts {
  readonly launches: Pick<Ports['launches'], 'readOut' | 'readResult'>;
  readonly artifacts: Pick<Ports['artifacts'], 'get'>;
  readonly prover: Pick<Ports['prover'], 'readLog'>;
}

interface Read {
  readonly text: string;
  readonly isError: boolean;
}

export async function readResult(ports: ResultPorts, run: Run, caller: Task, input: ResultInput): Promise<Read> {
  const { task: word, artifact, log, from = 0, ...which } = input;
  const alone = Object.keys(which).length === 0;
  const named = [word, artifact, log].filter((each) => each !== undefined).length;
  if (named !== 1 || (word === undefined && !alone))
    return refused('name a task, with or without part and process, or an artifact, or the log of a check');
  if (artifact !== undefined) return readArtifact(ports, artifact, from);
  if (log !== undefined) return readCheckLog(ports, log, from);
  if (word === undefined) return refused('name a task');
  const task = findTask(run, word);
  if (typeof task === 'string') return refused(task);
  if (!isKnownTo(run, caller, task))
    return refused(`"${task.spec.name}" is none of yours: you read what you asked for`);
  return readTask(ports, task, input);
}

function refused(reason: string): Read {
  return { text: `refused: ${reason}`, isError: true };
}

/** An agent finds only artifacts that it was told of or that belong to it. */
async function readArtifact({ artifacts }: ResultPorts, id: ArtifactId, from: number): Promise<Read> {
  try {
    const { kind, value } = await artifacts.get(id);
    const { text, end, more } = textPart(JSON.stringify(value, null, 1), from, partMax);
    const next = more ? `\n[there is more: read_output {"artifact": "${id}", "from": ${end}}]` : '';
    return { text: `${id} (${kind}) from ${from} to ${end}, as it was given:\n${quoted(text)}${next}`, isError: false };
  } catch (error) {
    if (isFault(error, 'not_found')) return refused(`there is no ${id}`);
    if (isFault(error, 'artifact_corrupt')) return refused(`${id} is damaged`);
    throw error;
  }
}

/** As with an artifact, only an agent that was told the name of a log can read it. */
async function readCheckLog({ prover }: ResultPorts, log: string, from: number): Promise<Read> {
  const found = await prover.readLog(log, from, partMax);
  if (found === null) return refused(`there is no log ${log}: what a check printed is kept for 30 days`);
  const { text, end, more } = found;
  const next = more ? `\n[there is more: read_output {"log": "${log}", "from": ${end}}]` : '';
  return { text: `what the check printed, from ${from} to ${end}:\n${quoted(text)}${next}`, isError: false };
}

async function readTask(
  ports: ResultPorts,
  task: Task,
  { part = 'result', from = 0, process }: ResultInput,
): Promise<Read> {
  const { name } = task.spec;
  const printers = part === 'transcript' ? await printersOf(ports, task) : [];
  const n = process ?? printers.length;
  if (n > Math.max(1, printers.length)) return refused(`"${name}" has had ${printers.length} processes only`);
  const printer = printers[n - 1] ?? null;
  const found = await partOf(ports, task, printer, part, from);
  if (found === null) return { text: nothing(task, part), isError: false };
  const { text, end, more } = found;
  const which = printers.length > 1 ? ` of process ${n} of ${printers.length}` : '';
  const same = printers.length > 1 ? `, "process": ${n}` : '';
  const next = more
    ? `\n[there is more: read_output {"task": "${name}", "part": "${part}"${same}, "from": ${end}}]`
    : '';
  return {
    text: `${part}${which} of "${name}" from ${from} to ${end}, its own words:\n${quoted(text)}${next}`,
    isError: false,
  };
}

/** All launches of the task, the oldest first: one for each time that an agent was started or resumed. */
async function printersOf(
  { launches }: ResultPorts,
  { spec, attempt, tries: { attempts } }: Task,
): Promise<LaunchId[]> {
  const ids: LaunchId[] = [];
  for (let n = 1; n < attempts; n += 1) {
    // How many launches a former attempt had is no longer known, but their output is there.
    for (let nth = 1; ; nth += 1) {
      const id = launchId(attemptId(spec.id, n), nth);
      if ((await launches.readOut(id, 0, 0)) === null) break;
      ids.push(id);
    }
  }
  for (let nth = 1; attempt !== null && nth <= attempt.launches.count; nth += 1) ids.push(launchId(attempt.id, nth));
  return ids;
}

function nothing({ spec: { name }, outcome }: Task, part: string): string {
  if (outcome === null) return `"${name}" has no ${part} yet.`;
  const more = part === 'transcript' ? '' : ' "part": "transcript" reads all that it did.';
  return `"${name}" has ended (${outcome.kind}) without a ${part}.${more}`;
}

async function partOf(
  ports: ResultPorts,
  task: Task,
  printer: LaunchId | null,
  part: NonNullable<ResultInput['part']>,
  from: number,
): Promise<TextPart | null> {
  const { attempt, output } = task;
  if (part === 'output') return output === null ? null : textPart(JSON.stringify(output, null, 1), from, partMax);
  if (part === 'transcript') return printer === null ? null : ports.launches.readOut(printer, from, partMax);
  const words = attempt === null ? null : lastWords(attempt);
  if (attempt === null || words === null) return null;
  // The newest final text that was stored: later launches printed none.
  for (let nth = words.whole === undefined ? 0 : attempt.launches.count; nth > 0; nth -= 1) {
    const whole = await ports.launches.readResult(launchId(attempt.id, nth), from, partMax);
    if (whole !== null) return whole;
  }
  return textPart(words.text, from, partMax);
}
