// Deliberately broken engines, in what agents that wait for a person hold.

import type { Mutant } from './mutant.ts';

export const askingMutants: readonly Mutant[] = [
  {
    name: 'an agent that only waits for a person keeps its slot',
    file: 'model/asks/asks-alone.js',
    find: 'if (asked || !waits ||',
    put: 'if (true || asked || !waits ||',
  },
  {
    name: 'an answer is written to an agent that has no slot',
    file: 'model/pending.js',
    find: "message.body.kind === 'answer' && isAsking(attempt)",
    put: 'false',
  },
  {
    name: 'an agent that goes on without an answer has no slot',
    file: 'model/asks/asks-alone.js',
    find: 'if (asked && !waits)',
    put: 'if (false)',
  },
  {
    name: 'an agent that was lost while it waited for a person is started without a slot',
    file: 'model/asks/asks-alone.js',
    find: 'return parked === null\n        ? null',
    put: 'return true\n        ? null',
  },
  {
    name: 'a question is raised with nobody',
    file: 'model/asks/notices.js',
    find: 'return `asks ${event.askId}`;',
    put: 'return null;',
  },
  {
    name: 'people count as told before they are',
    file: 'engine/effects/notify-people.js',
    find: 'await ports.notifier.tell(notice, signal)',
    put: '(void ports.notifier.tell(notice, signal).catch(() => null), null)',
  },
];
