// Engines that are broken in how they bring a run's work into a branch of the user's.

import type { Mutant } from './mutant.ts';

export const landingMutants: readonly Mutant[] = [
  {
    name: 'a run whose work was not landed has succeeded',
    file: 'model/land/landing-due.js',
    find: "return outcome.kind === 'stopped' ? 'stopped' : 'partial';",
    put: "return 'succeeded';",
  },
  {
    name: 'a run whose work waits for a checkout has not succeeded',
    file: 'model/land/landing-due.js',
    find: "|| outcome.kind === 'aside'",
    put: '',
  },
  {
    name: 'work is landed although a task failed',
    file: 'model/tasks/end-task.js',
    find: "const ask = outcome === 'succeeded' ?",
    put: "const ask = outcome !== 'stopped' ?",
  },
  {
    name: 'a branch that others moved counts as landed',
    file: 'model/land/decide-landing.js',
    find: 'if (landing.moves + 1 < landingMovesMax)',
    put: "if (true)\n        return decided(ended(run, landing, { kind: 'landed', branch: '', commit: to, from, items: [], checkedOut: false }));\n    if (false)",
  },
];
