// Deliberately broken engines, in what they know of budgets, of lines to a service and of parking.

import type { Mutant } from './mutant.ts';

export const spendingMutants: readonly Mutant[] = [
  {
    name: 'a paused run goes on',
    file: 'model/spending/allowance.js',
    find: 'if (pause !== null)',
    put: 'if (false)',
  },
  {
    name: 'runs that begin while all are paused are not',
    file: 'engine/start-next.js',
    find: "decideHostFact(draft, ledger, runId, { type: 'pauseRun'",
    put: "void (draft, ledger, runId, { type: 'pauseRun'",
  },
  {
    name: 'an agent that has used its budget up is let go on',
    file: 'model/decide-output.js',
    find: 'goOn: why === null',
    put: 'goOn: true',
  },
  {
    name: 'agents under a budget are not made to ask',
    file: 'model/attempt/evolve-launch.js',
    find: 'asks: isMetered(',
    put: 'asks: false && isMetered(',
  },
  {
    name: 'what is recorded still counts as under way',
    file: 'model/spending/evolve-spending.js',
    find: 'agent.spending.booked = agent.spending.metered;',
    put: '',
  },
  {
    name: 'what a process used that died is forgotten',
    file: 'model/lifecycle/decide-down.js',
    find: 'events.push(...unrecorded(agent));',
    put: '',
  },
  {
    name: 'what is set apart for others is not counted',
    file: 'model/spending/allowance.js',
    find: 'const others = reservedByOthers(run, scoped.scope, task, what, now);',
    put: 'const others = 0;',
  },
  {
    name: 'an unknown cost uses nothing up',
    file: 'model/spending/allowance.js',
    find: 'if (unknown > (',
    put: 'if (false && unknown > (',
  },
  {
    name: 'a used-up budget of time wakes its run for ever',
    file: 'model/spending/allowance.js',
    find: 'if (left <= 0)',
    put: 'if (false)',
  },
  {
    name: 'an attempt is stopped for its time and its budget at once',
    file: 'model/decide-order.js',
    find: 'if (events.length > 0)\n        return decided(events);\n    const paused = decideSpending(run, now);',
    put: 'const paused = [...events, ...decideSpending(run, now)];',
  },
  {
    name: 'a used-up budget is told by everybody who meets it',
    file: 'model/parking/decide-parking.js',
    find: 'told.add(scopeName(scope));',
    put: '',
  },
  {
    name: 'a turn begins without a budget',
    file: 'model/parking/parking.js',
    find: 'return hasBudgets(run) && shortageFor(',
    put: 'return false && shortageFor(',
  },
  {
    name: 'a lost process is started again without a budget',
    file: 'model/parking/parking.js',
    find: 'return pauseBefore(run, attempt, now) ?? (closed',
    put: 'return (closed',
  },
  {
    name: 'lost processes are started again while their service refuses',
    file: 'model/spending/account-of.js',
    find: 'return shut ?',
    put: 'return false ?',
  },
  {
    name: 'a parked attempt keeps its slot',
    file: 'model/host/host-share.js',
    find: "event.type === 'attempt.parked' || event.type === 'attempt.ended'",
    put: "event.type === 'attempt.ended'",
  },
  {
    name: 'the time that an attempt is parked counts',
    file: 'model/parking/evolve-parking.js',
    find: 'attempt.parking.parkedMs += Math.max(',
    put: 'attempt.parkedMs += 0 * Math.max(',
  },
  {
    name: 'all try a service that may serve again',
    file: 'model/spending/account-line.js',
    find: 'line.cap === null ? line.probe === null :',
    put: 'line.cap === null ? true :',
  },
  {
    name: 'a service that refused is not left alone',
    file: 'model/spending/account-line.js',
    find: 'if (!isOver(line, now))\n        return { admitted: false };',
    put: '',
  },
  {
    name: 'what one agent claims of its account stops all others',
    file: 'model/spending/account-of.js',
    find: '|| isOthersClaim(line, on.root)',
    put: '',
  },
  {
    name: 'what one agent is refused is known to nobody',
    file: 'model/host/host-share.js',
    find: 'return limitLine(',
    put: 'return line; limitLine(',
  },
  {
    name: 'a restart forgets which services refuse',
    file: 'model/snapshot.js',
    find: 'JSON.stringify({ ...rest, held: [...held],',
    put: 'JSON.stringify({ ...rest, lines: {}, held: [...held],',
  },
  {
    name: 'a used-up day lets new work begin',
    file: 'model/host/day.js',
    find: 'const exhausted = dayShortage(host, day.name, underway);',
    put: 'const exhausted = null;',
  },
  {
    name: 'a run is not told that its service is closed before a process follows',
    file: 'model/host/host-facts.js',
    find: 'return closed === attempt.parking.closed ?',
    put: 'return true ?',
  },
  {
    name: 'the day books nothing',
    file: 'model/host/host-share.js',
    find: 'if (spent.length > 0)',
    put: 'if (false)',
  },
];
