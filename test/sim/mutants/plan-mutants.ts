// Deliberately broken engines, in what they make of a plan: needs, conditions, matrices, outputs, retries.

import type { Mutant } from './mutant.ts';

/** Those that break plans and typed outputs. */
export const planMutants: readonly Mutant[] = [
  {
    name: 'an agent that is to resolve a conflict is not given that role',
    file: 'model/integrate/resolver.js',
    find: 'isAuthor ? null : roleOf(run, resolverRole)',
    put: 'null',
  },
  {
    name: 'what a task gave stands in the prompt of another as if the plan said it',
    file: 'model/inputs/render.js',
    find: 'value.from === null ? shown : taskOutput(value.from, shown)',
    put: 'shown',
  },
  {
    name: 'a text that a task gave can end its own quotation',
    file: 'model/messages/envelope.js',
    find: '|task-output|',
    put: '|',
  },
  {
    name: 'an omitted need counts as failure',
    file: 'model/tasks/end-task.js',
    find: "return outcome.kind === 'omitted' ?",
    put: 'return false ?',
  },
  {
    name: 'what needs an omitted task is done',
    file: 'model/inputs/needs.js',
    find: "if (end.kind === 'omitted' && kind === 'milestone')",
    put: "if (end.kind === 'omitted')",
  },
  {
    name: 'a phase misses what was not wanted in it',
    file: 'model/inputs/needs.js',
    find: "if (end.kind === 'omitted' && kind === 'milestone')",
    put: 'if (false)',
  },
  {
    name: 'a condition is not looked at',
    file: 'model/tasks/decide-open.js',
    find: 'const wanted = when === null || holds(run, task, when);',
    put: 'const wanted = true;',
  },
  {
    name: 'a matrix ends before its last task',
    file: 'model/tasks/end-task.js',
    find: 'if (matrix !== null && isLastOf(matrix, all)) {\n            const outcomeOf = (id) => all.ended.get(id) ?? taskOf(run, id).outcome;',
    put: "if (matrix !== null) {\n const outcomeOf = (id) => all.ended.get(id) ?? taskOf(run, id).outcome ?? { kind: 'stopped' };",
  },
  {
    name: 'a matrix does not settle with its last task',
    file: 'model/tasks/end-task.js',
    find: 'if (matrix !== null && isLastOf(matrix, all))',
    put: 'if (false)',
  },
  {
    name: 'an item of a matrix is left out',
    file: 'model/tasks/decide-open.js',
    find: 'items.forEach((item, i) => {',
    put: 'items.slice(0, 2).forEach((item, i) => {',
  },
  {
    name: 'a tolerated need is skipped over while it still runs',
    file: 'model/inputs/needs.js',
    find: 'return need.outcome !== null && suffices(task, need, need.outcome);',
    put: 'return task.spec.tolerates.includes(need.spec.id) || (need.outcome !== null && suffices(task, need, need.outcome));',
  },
  {
    name: 'a task is tried again under those who work with how it ended',
    file: 'model/tasks/decide-reopen.js',
    find: 'if (user !== null)',
    put: 'if (false)',
  },
  {
    name: 'a matrix is made of anything',
    file: 'model/tasks/decide-open.js',
    find: 'if (!Array.isArray(found))',
    put: "if (typeof found === 'string') return [found]; if (!Array.isArray(found))",
  },
  {
    name: 'a failure that stops the run stops nothing',
    file: 'model/tasks/end-task.js',
    find: "if (how === 'stop')",
    put: 'if (false)',
  },
  {
    name: 'a harness has no limit',
    file: 'model/ready/ready-queues.js',
    find: 'max !== undefined && liveOf(run, harness) >= times * max',
    put: 'false',
  },
  {
    name: 'a malformed output passes',
    file: 'engine/watch/check-output.js',
    find: 'if (validate(value))',
    put: 'if (validate(value) || true)',
  },
  {
    name: 'a missing output passes',
    file: 'model/attempt/typed-output.js',
    find: "return ['there is none: give it as the task says'];",
    put: 'return [];',
  },
  {
    name: 'a synthesis does not account for what it was given',
    file: 'model/attempt/typed-output.js',
    find: 'return accountProblems(output.value, ids);',
    put: 'return [];',
  },
  {
    name: 'a wrong output goes back without end',
    file: 'model/attempt/typed-output.js',
    find: 'if (attempt.result.corrections >= correctionsMax)',
    put: 'if (false)',
  },
  {
    name: 'a wrong output never goes back',
    file: 'model/attempt/typed-output.js',
    find: 'if (attempt.result.corrections >= correctionsMax)',
    put: 'if (true)',
  },
  {
    name: 'a silent agent is started again without end',
    file: 'model/attempt/relaunch.js',
    find: 'attempt.launches.stalls <= stallsMax &&',
    put: '',
  },
  {
    name: 'a silent agent is not started again',
    file: 'model/attempt/relaunch.js',
    find: 'attempt.launches.stalls <= stallsMax &&',
    put: 'attempt.launches.stalls < stallsMax &&',
  },
  {
    name: 'work that was continued is compared with its last start alone',
    file: 'model/attempt/evolve-attempt.js',
    find: "if (attempt.origin.base === '')",
    put: 'if (true)',
  },
  {
    name: 'work that did not fit is continued',
    file: 'model/session/continuing.js',
    find: "spec.retry.how !== 'continue' || needsNewConversation(failure.reason)",
    put: "spec.retry.how !== 'continue'",
  },
  {
    name: 'a retry that is to go on begins from the head of the branch',
    file: 'model/new-state.js',
    find: 'from: work?.workspace.commit ?? task',
    put: 'from: task',
  },
  {
    name: 'a lost process is judged by the turn before',
    file: 'model/session/evolve-turn.js',
    find: 'turn.ended = null;',
    put: '',
  },
  {
    name: 'nobody is told of earlier attempts',
    file: 'model/tasks/prompt.js',
    find: 'if (task.tries.tried.length > 0)',
    put: 'if (false)',
  },
];
