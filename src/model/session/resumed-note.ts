// The note to an agent that was stopped with its run and continues in its session.

import type { Attempt } from '../core/attempt.ts';
import { agentOf, taskOf } from '../core/lookup.ts';
import type { Run, Task } from '../core/run.ts';
import { underWay } from './interrupted-note.ts';

export function resumedNote(
  run: Run,
  task: Task,
  { result: { verdict }, waits, agentId }: Attempt,
  onHead: boolean,
): string {
  const why = verdict?.kind === 'failed' ? ` (${verdict.failure.detail.slice(0, detailMax)})` : '';
  const files = onHead
    ? 'You are in a new directory with the files of the branch as it is now: what was in the former one is gone.'
    : 'Your files are as they were saved then, in a new directory: the one you are in. The former one is gone, with what git ' +
      'ignores and what ran in it.';
  const { inFlight } = agentOf(run, agentId).memory;
  const children = openNames(run, task.children.ids);
  const awaited = openNames(run, waits?.tasks ?? []);
  return [
    `You were stopped${why} and go on now, in this conversation. ${files}`,
    ...(inFlight.length === 0
      ? []
      : [`${underWay(inFlight)} They may have taken effect in part or in whole: look before you repeat them.`]),
    ...(children.length === 0
      ? []
      : [`These children, which were stopped with you, continue as well: ${listed(children)}.`]),
    ...(awaited.length === 0 ? [] : [`You waited for ${listed(awaited)}: call wait again if you still want to.`]),
    'Go on with your task where you were.',
  ].join('\n\n');
}

const detailMax = 500;

function openNames(run: Run, ids: readonly Task['spec']['id'][]): string[] {
  return ids.map((id) => taskOf(run, id)).flatMap(({ state, spec }) => (state === 'ended' ? [] : [`"${spec.name}"`]));
}

function listed(names: readonly string[]): string {
  const more = names.length > namesShown ? ` and ${names.length - namesShown} more` : '';
  return names.slice(0, namesShown).join(', ') + more;
}

const namesShown = 20;
