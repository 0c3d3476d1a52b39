// What an agent reads of another's results: in parts of a bounded size, whole if it goes on reading.

import { quoted } from '../model/envelope.ts';
import { findTask, isKnownTo } from '../model/kin.ts';
import type { Run, Task } from '../model/run.ts';
import type { Ports } from './ports.ts';

const partMax = 12_000;

export interface ResultInput {
  readonly task: string;
  readonly part?: 'result' | 'output' | 'transcript';
  readonly from?: number;
}

type ResultPorts = { readonly launches: Pick<Ports['launches'], 'readOut' | 'readResult'> };

export async function readResult(
  ports: ResultPorts,
  run: Run,
  caller: Task,
  { task: word, part = 'result', from = 0 }: ResultInput,
): Promise<{ readonly text: string; readonly isError: boolean }> {
  const task = findTask(run, word);
  if (typeof task === 'string') return { text: `refused: ${task}`, isError: true };
  const { name } = task.spec;
  if (!isKnownTo(run, caller, task))
    return { text: `refused: "${name}" is none of yours: you read what you asked for`, isError: true };
  const found = await partOf(ports, task, part, from);
  if (found === null) return { text: nothing(task, part), isError: false };
  const { text, end, more } = found;
  const next = more ? `\n[there is more: read_output {"task": "${name}", "part": "${part}", "from": ${end}}]` : '';
  return {
    text: `${part} of "${name}" from ${from} to ${end}, its own words:\n${quoted(text)}${next}`,
    isError: false,
  };
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

async function partOf(ports: ResultPorts, task: Task, part: ResultInput['part'], from: number): Promise<Part | null> {
  const { attempt, output } = task;
  if (part === 'output') return output === null ? null : slice(JSON.stringify(output, null, 1), from);
  if (attempt === null || attempt.launch === null) return null;
  if (part === 'transcript') return ports.launches.readOut(attempt.launch.id, from, partMax);
  const { turn } = attempt;
  const text = turn?.kind === 'ok' ? turn.text : turn?.said;
  if (text === undefined) return null;
  const whole = turn?.whole === undefined ? null : await ports.launches.readResult(attempt.launch.id, from, partMax);
  return whole ?? slice(text, from);
}

function slice(text: string, from: number): Part {
  const part = text.slice(from, from + partMax);
  return { text: part, end: from + part.length, more: from + part.length < text.length };
}
