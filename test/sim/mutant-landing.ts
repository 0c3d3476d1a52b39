// Engines that break what holds for evidence and for the run's branch.

import type { Mutant } from './mutant.ts';

export const landingMutants: readonly Mutant[] = [
  {
    name: 'work lands without proof',
    file: 'model/decide-attempt.js',
    find: 'const verdict = evidenceVerdict(spec, command.items);',
    put: "const verdict = { kind: 'ok' };",
  },
  {
    name: 'work succeeds without landing',
    file: 'model/decide-landing.js',
    find: "if (verdict.kind === 'ok' && lands)",
    put: 'if (false)',
  },
  {
    name: 'work lands in a run that has no branch',
    file: 'model/decide-landing.js',
    find: 'run.spec?.lands === true &&',
    put: '',
  },
  {
    name: 'two land from the same head',
    file: 'model/evolve-result.js',
    find: 'run.head = event.head;',
    put: '',
  },
  {
    name: 'a conflict counts as success',
    file: 'model/decide-landing.js',
    find: "return failAs(run, attempt, 'conflict', detail, all);",
    put: "return endAttempt(run, attempt, { kind: 'ok' }, attempt.workspace.commit, all);",
  },
  {
    name: 'conflicts are tried again without end',
    file: 'model/settle.js',
    find: "if (failure.reason === 'conflict' && conflicts <= conflictsMax)",
    put: "if (failure.reason === 'conflict')",
  },
  {
    name: 'a dependant starts before its need has landed',
    file: 'model/decide-landing.js',
    find: "all.events.push({ type: 'landing.queued', attemptId: attempt.id });",
    put: "all.events.push({ type: 'landing.queued', attemptId: attempt.id }, { type: 'task.settled', taskId: attempt.taskId, outcome: { kind: 'succeeded', commit } });",
  },
  {
    name: 'attempts start from where the run began',
    file: 'model/evolve-attempt.js',
    find: 'work?.workspace.commit ?? run.head,',
    put: 'work?.workspace.commit ?? run.spec.repo.base,',
  },
  {
    name: 'paths are free before the work on them has landed',
    file: 'model/interlock.js',
    find: 'for (const { taskId } of run.live.values()) {',
    put: "for (const { taskId, state } of run.live.values()) { if (state === 'landing') continue;",
  },
];
