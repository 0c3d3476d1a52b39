// Engines that are broken in how they bring a run's work into a branch of the user's.

import type { Mutant } from './mutant.ts';

export const deliveryMutants: readonly Mutant[] = [
  {
    name: 'a run whose work was not delivered has succeeded',
    file: 'model/land/landing-due.js',
    find: "return outcome.kind === 'stopped' ? 'stopped' : 'partial';",
    put: "return 'succeeded';",
  },
  {
    name: 'work is delivered although a task failed',
    file: 'model/tasks/end-task.js',
    find: "const ask = outcome === 'succeeded' ?",
    put: "const ask = outcome !== 'stopped' ?",
  },
  {
    name: 'a branch that others moved counts as delivered',
    file: 'model/land/decide-landing.js',
    find: 'if (delivery.moves + 1 < deliveryMovesMax)',
    put: "if (true)\n        return decided(ended(run, delivery, { kind: 'landed', branch: '', commit: to, from, items: [], checkedOut: false }));\n    if (false)",
  },
];
