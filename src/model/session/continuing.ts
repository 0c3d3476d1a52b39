// How a further attempt begins: it continues the session and work of the one before, begins a new session on that work, or
// begins from scratch; why, and what its agent is told.

import type { Attempt } from '../core/attempt.ts';
import { type Failure, lacksEvidence, needsNewConversation } from '../core/failure.ts';
import { agentOf } from '../core/lookup.ts';
import type { Run, Task } from '../core/run.ts';
import { printedWords } from './check-output.ts';
import type { Filling } from './session-events.ts';

export interface Next {
  /** `handoff`: the same agent and work in a new session. `steered`: a person sent it a message. `resumed`: it was stopped. */
  readonly how: 'continue' | 'fresh' | 'handoff' | 'steered' | 'resumed';
  /** One sentence; empty = there was no choice. */
  readonly why: string;
  /** The attempt that it continues; null = it begins from scratch. */
  readonly former: Attempt | null;
  /** It starts from the branch's head instead of the former attempt's work. */
  readonly onHead: boolean;
}

/** Orders of people come first: their messages, then the retry policy of their plan. */
export function howNext(run: Run, task: Task): Next {
  const { attempt, spec } = task;
  if (attempt === null) return anewFor('');
  if (task.session.steered.length > 0) {
    const why = `${task.session.steered[0]?.from ?? 'a person'} said something to its agent`;
    return { how: 'steered', why, former: attempt, onHead: isElsewhere(run, task, attempt) };
  }
  if (task.resumes && agentOf(run, attempt.agentId).session !== null) {
    const why = 'it was stopped with others, and goes on';
    return { how: 'resumed', why, former: attempt, onHead: isElsewhere(run, task, attempt) };
  }
  if (attempt.result.verdict?.kind === 'ok' && task.integration.conflict?.landing !== undefined) {
    const remembers = (spec.retry.sendBacksMax ?? 0) > 0 && canGoOn(run, attempt);
    if (!remembers) return anewFor('its work conflicts with the branch that it was to land in');
    return { how: 'continue', why: 'its author can resolve the conflict', former: attempt, onHead: true };
  }
  // If a person retried it, its inputs may have changed.
  if (attempt.result.verdict?.kind !== 'failed' || attempt.n <= task.tries.attemptsForgiven) return anewFor('');
  const { failure } = attempt.result.verdict;
  if (!spec.keeps) return anewFor(spec.retry.how === 'auto' ? 'it keeps nothing, so it starts from scratch' : '');
  if (goesBack(task, failure) && canGoOn(run, attempt)) {
    const onHead = failure.reason === 'conflict';
    return { how: 'continue', why: 'its author can fix what is wrong with it', former: attempt, onHead };
  }
  if (spec.retry.how === 'auto') return byRule(run, task, attempt, failure);
  if (spec.retry.how !== 'continue' || needsNewConversation(failure.reason) || !canGoOn(run, attempt))
    return anewFor('');
  return { how: 'continue', why: 'its plan says so', former: attempt, onHead: false };
}

/** The default, from what is known of the former attempt. */
function byRule(run: Run, { spec }: Task, former: Attempt, { reason }: Failure): Next {
  const { workspace } = former;
  const { session, memory } = agentOf(run, former.agentId);
  if (spec.outputKind === 'verdict') return anewFor('it gives a verdict, so it starts from scratch');
  if (reason !== 'context-overflow' && needsNewConversation(reason)) return anewFor(`no further word cures ${reason}`);
  if (workspace.commit === '') return anewFor('nothing of its work was saved');
  const changed = workspace.changed.total > 0;
  const goOn = (how: 'continue' | 'handoff', why: string): Next => ({ how, why, former, onHead: false });
  const { context } = memory;
  const half = context !== null && context.window !== null && context.tokens * 2 >= context.window;
  if (reason === 'context-overflow') {
    return changed ? goOn('handoff', 'its context was full') : anewFor('its context was full, and it changed nothing');
  }
  if (session === null)
    return changed ? goOn('handoff', 'its conversation is gone') : anewFor('its conversation is gone');
  if (half && !changed) return anewFor(`it has read much (${fillWords(context)}) and changed nothing`);
  if (half) return goOn('handoff', `its conversation is long (${fillWords(context)})`);
  return goOn('continue', `it works on the same files, and its conversation is short (${fillWords(context)})`);
}

function fillWords(context: Filling | null): string {
  if (context === null || context.window === null) return 'how full its context is was not told';
  return `${Math.round((100 * context.tokens) / context.window)} % of its context`;
}

function anewFor(why: string): Next {
  return { how: 'fresh', why, former: null, onHead: false };
}

/** Whether its work is on the branch already, or was never kept: then it starts from the branch's head. */
function isElsewhere(run: Run, { spec }: Task, { result: { verdict }, workspace }: Attempt): boolean {
  const hasIntegrated = run.spec?.integrates === true && verdict?.kind === 'ok';
  return hasIntegrated || !spec.keeps || workspace.commit === '';
}

/** Whether its author can be asked to fix it: the session and the work still exist. */
export function canGoOn(run: Run, { agentId, workspace }: Attempt): boolean {
  return (run.agents.get(agentId)?.session ?? null) !== null && workspace.commit !== '';
}

/** Whether the last attempt's failure is one that its author fixes, and may still be sent back. */
function goesBack({ spec, tries: { sentBack }, integration: { conflicts } }: Task, failure: Failure): boolean {
  const { sendBacksMax = 0 } = spec.retry;
  // A second conflict goes to a resolver.
  if (failure.reason === 'conflict') return sendBacksMax > 0 && conflicts === 1;
  return lacksEvidence(failure) && sentBack <= sendBacksMax;
}

const detailMax = 2_000;
const printedMax = 2_000;

export function continueNote({ result: { verdict } }: Attempt): string {
  const failure: Partial<Failure> = verdict?.kind === 'failed' ? verdict.failure : {};
  const { reason = '', detail = '' } = failure;
  return [
    `Your work on this task has not succeeded yet. It ended with ${reason}: ${detail.slice(0, detailMax)}`,
    ...printedWords(failure, printedMax),
    'You go on with it now, in this conversation. Your files are as they were saved then, in a new directory: the one you ' +
      'are in. The former one is gone, with what git ignores and what ran in it.',
    'Look at what is wrong, fix it, and end your turn as before.',
  ].join('\n\n');
}
