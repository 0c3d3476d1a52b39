// What an agent reads of another's results: in parts of a bounded size, whole if it goes on reading.

import { findTask, isKnownTo } from '../model/crew/kin.ts';
import { attemptId, type LaunchId, launchId } from '../model/ids.ts';
import { quoted } from '../model/letters/envelope.ts';
import type { Run, Task } from '../model/run.ts';
import { lastWords } from '../model/session/last-words.ts';
import type { Ports } from './ports.ts';

const partMax = 12_000;

export interface ResultInput {
  readonly task: string;
  readonly part?: 'result' | 'output' | 'transcript';
  readonly from?: number;
  /** Of a transcript: which process printed it, by number. */
  readonly process?: number;
}

type ResultPorts = { readonly launches: Pick<Ports['launches'], 'readOut' | 'readResult'> };

export async function readResult(
  ports: ResultPorts,
  run: Run,
  caller: Task,
  { task: word, part = 'result', from = 0, process }: ResultInput,
): Promise<{ readonly text: string; readonly isError: boolean }> {
  const task = findTask(run, word);
  if (typeof task === 'string') return { text: `refused: ${task}`, isError: true };
  const { name } = task.spec;
  if (!isKnownTo(run, caller, task))
    return { text: `refused: "${name}" is none of yours: you read what you asked for`, isError: true };
  const printers = part === 'transcript' ? await printersOf(ports, task) : [];
  const n = process ?? printers.length;
  if (n > Math.max(1, printers.length))
    return { text: `refused: "${name}" has had ${printers.length} processes only`, isError: true };
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

/** All processes that have worked on it, the first first: one for each time that an agent was begun or taken up again. */
async function printersOf({ launches }: ResultPorts, { spec, attempt, attempts }: Task): Promise<LaunchId[]> {
  const ids: LaunchId[] = [];
  for (let n = 1; n < attempts; n += 1) {
    // How many a former attempt had is not known any more, but what they printed is there.
    for (let nth = 1; ; nth += 1) {
      const id = launchId(attemptId(spec.id, n), nth);
      if ((await launches.readOut(id, 0, 0)) === null) break;
      ids.push(id);
    }
  }
  for (let nth = 1; attempt !== null && nth <= attempt.launches; nth += 1) ids.push(launchId(attempt.id, nth));
  return ids;
}

function nothing({ spec: { name }, outcome }: Task, part: string): string {
  if (outcome === null) return `"${name}" has no ${part} yet.`;
  const more = part === 'transcript' ? '' : ' "part": "transcript" reads all that it did.';
  return `"${name}" has ended (${outcome.kind}) without a ${part}.${more}`;
}

interface Part {
  readonly text: string;
  readonly end: number;
  readonly more: boolean;
}

async function partOf(
  ports: ResultPorts,
  task: Task,
  printer: LaunchId | null,
  part: ResultInput['part'],
  from: number,
): Promise<Part | null> {
  const { attempt, output } = task;
  if (part === 'output') return output === null ? null : slice(JSON.stringify(output, null, 1), from);
  if (part === 'transcript') return printer === null ? null : ports.launches.readOut(printer, from, partMax);
  if (attempt === null || attempt.launch === null) return null;
  const words = lastWords(attempt);
  if (words === null) return null;
  const whole = words.whole === undefined ? null : await ports.launches.readResult(attempt.launch.id, from, partMax);
  return whole ?? slice(words.text, from);
}

function slice(text: string, from: number): Part {
  const part = text.slice(from, from + partMax);
  return { text: part, end: from + part.length, more: from + part.length < text.length };
}
