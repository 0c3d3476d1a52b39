// The notification that tells a parent how a child ended: outcome, short summary, cost, and where the whole output is. Its size
// is bounded.

import { must } from '../../std/assert.ts';
import { cutTo } from '../../std/characters.ts';
import type { RunEventBody } from '../core/events.ts';
import { askerOf, taskOf } from '../core/lookup.ts';
import type { Run, Task } from '../core/run.ts';
import { namesAbove } from '../core/task-tree.ts';
import { resultArtifact } from '../inputs/task-inputs.ts';
import { attribute, messageCharsMax, quoted } from '../messages/envelope.ts';
import { sendOwnMessage } from '../messages/own-message.ts';
import { lastWords } from '../session/last-words.ts';

/** One at a time, because each message takes the next number. */
export function decideNextTold(run: Run, now: number): RunEventBody[] {
  for (const task of run.children.unnotified.values()) {
    const asker = must(askerOf(run, task), 'somebody asked for it');
    const told = {
      fromName: task.spec.name,
      ...(task.attempt === null ? {} : { from: task.attempt.agentId }),
      to: asker.spec.id,
      kind: 'notification',
      about: task.spec.id,
      text: notificationText(run, task),
      chain: namesAbove(run, task),
    } as const;
    return [sendOwnMessage(run, now, told)];
  }
  return [];
}

/** The heading of the child's own words. */
export const summaryHead = 'summary (its own words):';

export function notificationText(run: Run, task: Task): string {
  const { spec, outcome } = task;
  const head = `<task-notification task="${attribute(spec.name)}" id="${spec.id}" status="${outcome?.kind ?? task.state}">`;
  const foot = '</task-notification>';
  const facts = factsOf(run, task);
  const frame = [head, ...facts, summaryHead, foot].join('\n').length + 1;
  const said = summaryOf(task, messageCharsMax - frame);
  return [head, ...facts, ...(said === '' ? [] : [summaryHead, said]), foot].join('\n');
}

function factsOf(run: Run, task: Task): string[] {
  const {
    spec,
    outcome,
    attempt,
    spending: { treeUsage: used },
  } = task;
  const cost = used.unknownCosts > 0 ? 'of unknown cost' : `$${(used.costMicroUsd / 1e6).toFixed(4)}`;
  const whole = attempt === null ? undefined : lastWords(attempt)?.whole;
  const artifact = resultArtifact(task);
  return [
    ...(outcome?.kind === 'failed'
      ? [`failure: ${outcome.failure.reason}: ${inLine(outcome.failure.detail, 300)}`]
      : []),
    ...(outcome?.kind === 'skipped' ? [`skipped because of: ${taskOf(run, outcome.because).spec.name}`] : []),
    ...(artifact === null ? [] : [`result: ${artifact}${outputWords(task)}`]),
    `usage: ${used.inputTokens + used.cacheWriteTokens} tokens in, ${used.outputTokens} out, ${used.turns} requests, ` +
      `${cost}, ${Math.round(used.timeMs / 1000)} s`,
    ...(attempt === null || attempt.workspace.commit === ''
      ? []
      : [
          `work: commit ${attempt.workspace.commit} at ${attempt.workspace.ref}, ${attempt.workspace.changed.total} files changed`,
        ]),
    ...filesOf(run, task),
    // A path is shown whole or not at all.
    ...(whole === undefined || whole.length > pathMax ? [] : [`output: ${inLine(whole, pathMax)}`]),
    `read_output {"task": "${spec.name}"} reads all that it said and gave.`,
  ];
}

/** The command that brings its integrated files into the parent's workspace, which borrows the objects of the run's branch. */
function filesOf({ integration: { head, steps } }: Run, { outcome, attempt }: Task): string[] {
  const isThere = outcome?.kind === 'succeeded' && steps.some(({ attemptId }) => attemptId === attempt?.id);
  return isThere ? [`files: "git merge --no-edit ${head}" brings all integrated work into your workspace`] : [];
}

const pathMax = 400;

/** The output, if it is short. */
function outputWords({ output, spec }: Task): string {
  if (spec.output === null || output === null) return '';
  const text = JSON.stringify(output);
  return text.length > outputShownMax ? `, ${text.length} characters of JSON` : `\n${quoted(text)}`;
}

const outputShownMax = 500;

/** The whole text is at `output`, or can be read with read_output. */
function summaryOf({ attempt }: Task, room: number): string {
  const words = attempt === null ? null : lastWords(attempt);
  if (words === null || words.text === '') return '';
  const { text, isCut } = words;
  const shown = quoted(text);
  if (shown.length <= room && !isCut) return shown;
  const note = '\n[cut: read_output gives the whole]';
  return cutTo(shown, Math.max(0, room - note.length)) + note;
}

function inLine(text: string, max: number): string {
  const line = attribute(text, max);
  return line.length < text.length ? `${line}…` : line;
}
