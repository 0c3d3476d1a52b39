// Deliberately broken engines: teams.

import type { Mutant } from './mutant.ts';

export const teamMutants: readonly Mutant[] = [
  {
    name: 'an item of a team is claimed whoever has it',
    file: 'model/tool-calls/call-team-list.js',
    find: 'if (why !== null)',
    put: 'if (false)',
  },
  {
    name: 'an item of a team is claimed before what it needs is done',
    file: 'model/teams/team.js',
    find: "return needs.filter((n) => items[n - 1]?.state !== 'done');",
    put: 'return [];',
  },
  {
    name: 'what an ended member of a team held stays held',
    file: 'model/teams/evolve-team.js',
    find: 'return giveBackAll(run, event.taskId);',
    put: 'return;',
  },
  {
    name: 'a team is deleted while members are active',
    file: 'model/tool-calls/call-team.js',
    find: 'if (open.length === 0) {',
    put: 'if (true) {',
  },
  {
    name: 'members of a team end with their first turn',
    file: 'model/teams/membership.js',
    find: '?.leaves === null ? team : null',
    put: '?.leaves === 7 ? team : null',
  },
  {
    name: 'members of a team that rest are never let go',
    file: 'model/lifecycle/standing.js',
    find: 'if (awaited === null)',
    put: 'if (true)',
  },
  {
    name: 'members of a team are let go while their lead is at work',
    file: 'model/lifecycle/standing.js',
    find: '!isStuck(run, taskOf(run, team.lead))',
    put: 'false',
  },
  {
    name: 'members of a team are told of work that is free while they are at it',
    file: 'model/lifecycle/decide-team.js',
    find: 'isIdle(run, task) && !isAsked(team, task.spec.id)',
    put: '!isAsked(team, task.spec.id)',
  },
  {
    name: 'a member of a team is told of the same again and again',
    file: 'model/lifecycle/decide-team.js',
    find: '!item.offered.includes(spec.id)',
    put: 'true',
  },
  {
    name: 'a message to a team goes to its lead alone',
    file: 'model/tool-calls/team-messages.js',
    find: '[taskOf(run, team.lead), ...openMembers(run, team)]',
    put: '[taskOf(run, team.lead)]',
  },
  {
    name: 'who is to end with its team gets no time for it',
    file: 'model/lifecycle/decide-team.js',
    find: 'if (!limitIsPassed(now, until, 0))',
    put: 'if (false)',
  },
];
