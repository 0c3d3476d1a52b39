// Deliberately broken engines, in what they ask people about tasks.

import type { Mutant } from './mutant.ts';

export const gateMutants: readonly Mutant[] = [
  {
    name: 'a gate is passed without a person',
    file: 'model/tasks/decide-open.js',
    find: 'all.events.push(askAtGate(run, task));',
    put: "endTask(run, task, { kind: 'succeeded', commit: '' }, all);",
  },
  {
    name: 'anybody decides at a gate',
    file: 'model/asks/check-answer.js',
    find: '!gate.who.includes(by)',
    put: 'false',
  },
  {
    name: 'a gate has no timeout',
    file: 'model/asks/check-answer.js',
    find: 'return timeoutMs !== null &&',
    put: 'return false &&',
  },
  {
    name: 'a gate is late because the clock went back',
    file: 'model/asks/check-answer.js',
    find: 'limitIsPassed(now, openedAt, timeoutMs)',
    put: '(now < openedAt || limitIsPassed(now, openedAt, timeoutMs))',
  },
  {
    name: 'a form takes what does not fit',
    file: 'model/asks/form.js',
    find: "typeof value === 'number' && Number.isFinite(value) ? null",
    put: 'true ? null',
  },
  {
    name: 'a question is in no inbox',
    file: 'model/asks/evolve-asks.js',
    find: 'run.openAsks.set(ask.id, ask);',
    put: 'void ask;',
  },
  {
    name: 'what is stopped is still asked',
    file: 'model/tasks/end-task.js',
    find: "all.events.push(...withdraw(run, task, 'it is stopped'));",
    put: '',
  },
  {
    name: 'a failure is not asked about',
    file: 'model/tasks/end-task.js',
    find: "if (asks && kind !== 'gate')",
    put: 'if (false)',
  },
];
