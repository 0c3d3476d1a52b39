// Deliberately broken engines, in what agents ask of them and of each other.

import type { Mutant } from './mutant.ts';

export const crewMutants: readonly Mutant[] = [
  {
    name: 'a call that is made again is carried out again',
    file: 'model/crew/decide-call.js',
    find: 'each.callId === callId && each.tool === tool',
    put: 'false',
  },
  {
    name: 'a call is not answered',
    file: 'model/crew/decide-call.js',
    find: '...(known === undefined ? [asked] : []), told]',
    put: '...(known === undefined ? [asked] : [])]',
  },
  {
    name: 'a task succeeds before those that it asked for',
    file: 'model/crew/resting.js',
    find: 'if (task.childrenOpen > 0)',
    put: 'if (false)',
  },
  {
    name: 'agents stand above one another without end',
    file: 'model/crew/call-spawn.js',
    find: 'depthOf(run, task) >= depthMax',
    put: 'false',
  },
  {
    name: 'an agent has as many at work for it as it likes',
    file: 'model/crew/call-spawn.js',
    find: 'task.childrenOpen >= childrenMax',
    put: 'false',
  },
  {
    name: 'a run has as many agents as they like',
    file: 'model/crew/call-spawn.js',
    find: 'run.agentsAsked >= agentsMax',
    put: 'false',
  },
  {
    name: 'limits that a person sets are forgotten',
    file: 'model/spending/decide-parking.js',
    find: "decided([{ type: 'limits.set', limits, by }])",
    put: 'decided([])',
  },
  {
    name: 'an agent may change more than the one that asked for it',
    file: 'model/crew/child.js',
    find: 'return writes.find((path) => !globWithin(parseGlob(path), own)) ?? null;',
    put: 'return null;',
  },
  {
    name: 'nobody is told how those that it asked for have ended',
    file: 'model/graph/evolve-task.js',
    find: 'if (isUntold(run, task))',
    put: 'if (false)',
  },
  {
    name: 'a letter that was taken up is given again',
    file: 'model/letters/mailbox.js',
    find: 'task.inbox = task.inbox.filter(({ id }) => !ids.includes(id));',
    put: '',
  },
  {
    name: 'a turn is given all the letters there are',
    file: 'model/letters/mailbox.js',
    find: 'turnMailMax = 16_000',
    put: 'turnMailMax = 160_000',
  },
  {
    name: 'a letter is shown whole, however long',
    file: 'model/letters/envelope.js',
    find: 'shownMax = 2_000',
    put: 'shownMax = 20_000',
  },
  {
    name: 'the newest letter comes first',
    file: 'model/letters/mailbox.js',
    find: '[...letters.filter(isAnswer), ...letters.filter((letter) => !isAnswer(letter))]',
    put: 'letters.toReversed()',
  },
  {
    name: 'who waits is let go on',
    file: 'model/session/decide-output.js',
    find: 'attempt.waits === null ? null :',
    put: 'true ? null :',
  },
  {
    name: 'who waits is woken by anything',
    file: 'model/letters/mailbox.js',
    find: 'return waits === null || isAwaited(run, attempt, now);',
    put: 'return true;',
  },
  {
    name: 'who has asked a person is woken by the end of others',
    file: 'model/letters/mailbox.js',
    find: 'waits.gateId === null && !waits.tasks.includes(about)',
    put: '!waits.tasks.includes(about)',
  },
  {
    name: 'agents wait in a circle',
    file: 'model/crew/call-wait.js',
    find: 'if (circle !== null)',
    put: 'if (false)',
  },
  {
    name: 'two agents claim one path',
    file: 'model/crew/call-paths.js',
    find: 'if (holder !== null)',
    put: 'if (false)',
  },
  {
    name: 'who comes to rest keeps what it claimed',
    file: 'model/crew/resting.js',
    find: 'claims.length === 0 ? [] :',
    put: 'true ? [] :',
  },
  {
    name: 'those that nobody wants any more go on',
    file: 'model/graph/settle.js',
    find: 'stopChildren(run, task, toSettle, all);',
    put: '',
  },
  {
    name: 'letters are taken for one that has ended',
    file: 'model/letters/writing.js',
    find: "return state === 'settled' ?",
    put: 'return false ?',
  },
  {
    name: 'an agent writes as often as it likes',
    file: 'model/letters/writing.js',
    find: 'written + letters.length > mailPerMinute',
    put: 'false',
  },
  {
    name: 'letters that were taken up early are written otherwise',
    file: 'engine/letters.js',
    find: '[...task.inbox, ...task.read]',
    put: '[...task.inbox]',
  },
  {
    name: 'who is told to end is told more',
    file: 'model/letters/mailbox.js',
    find: 'isOver(attempt) || stop !== null',
    put: 'isOver(attempt)',
  },
  {
    name: 'a session that is lost is gone on with',
    file: 'model/evolve-agent.js',
    find: 'agent.session = null;',
    put: '',
  },
  {
    name: 'who has lost its session is not told its task again',
    file: 'model/attempt/relaunch.js',
    find: 'if (news || !agent.mail.some(isMail) || lostSession(attempt, agent))',
    put: 'if (news || !agent.mail.some(isMail))',
  },
  {
    name: 'what people said into a session that is lost is gone with it',
    file: 'model/evolve-agent.js',
    find: "agent.mail = agent.mail.filter((message) => message.from !== 'signalbox');",
    put: 'agent.mail = [];',
  },
];
