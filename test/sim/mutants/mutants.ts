// Deliberately broken engines. Each is one small change to the compiled sources; the simulator must catch every one.
// A mutant whose text is no longer there fails as well: it has to follow the code.

import { artifactMutants } from './artifact-mutants.ts';
import { askingMutants } from './asking-mutants.ts';
import { childrenMutants } from './children-mutants.ts';
import { integrationMutants } from './integration-mutants.ts';
import { landingMutants } from './landing-mutants.ts';
import type { Mutant } from './mutant.ts';
import { spendingMutants } from './spending-mutants.ts';
import { teamMutants } from './team-mutants.ts';

const engineMutants: readonly Mutant[] = [
  {
    name: 'effects start before their intent is stored',
    file: 'engine/tick.js',
    find: 'if (draft.parts.size > 0 && !(await commit(state, draft)))',
    put: 'startEffects(state, now); if (draft.parts.size > 0 && !(await commit(state, draft)))',
  },
  {
    name: 'orders are answered before they are stored',
    file: 'engine/tick.js',
    find: 'if (draft.parts.size > 0 && !(await commit(state, draft)))',
    put: 'batch.forEach((entry, i) => entry.answer(answers[i])); if (draft.parts.size > 0 && !(await commit(state, draft)))',
  },
  {
    name: 'the fence is ignored',
    file: 'store/memory/memory-journal.js',
    find: 'if (head !== expected)',
    put: 'if (false)',
  },
  {
    name: 'a copy in memory is trusted after a failed append',
    file: 'engine/commit.js',
    find: 'state.doubtful.add(stream);\n    const stored',
    put: 'void stream;\n    const stored',
  },
  {
    name: 'what was decided is shown after the journal did not take it',
    file: 'engine/commit.js',
    find: 'await takeBack(state).catch(onlyFaults);',
    put: '',
  },
  {
    name: 'what was decided is shown after another writer was first',
    file: 'engine/commit.js',
    find: 'await takeBack(state);',
    put: '',
  },
  {
    name: 'nobody who looks waits for the append under way',
    file: 'engine/commit.js',
    find: 'while (state.committing !== null)',
    put: 'while (false)',
  },
  {
    name: 'copies of different moments are used together',
    file: 'engine/state-reload.js',
    find: 'if (agrees(ledger, copies.quarantined))',
    put: 'if (true)',
  },
  {
    name: 'a failed attempt is not retried and not ended',
    file: 'model/tasks/end-task.js',
    find: "all.events.push({ type: 'task.delayed', taskId: task.spec.id, delayMs });",
    put: 'void delayMs;',
  },
  {
    name: 'one attempt too many',
    file: 'model/tasks/end-task.js',
    find: 'made < attemptsMax',
    put: 'made <= attemptsMax',
  },
  {
    name: 'reasons that no retry cures are retried',
    file: 'model/tasks/end-task.js',
    find: 'isCuredByRetry(failure.reason) &&',
    put: '',
  },
  {
    name: 'a failed attempt keeps its slot',
    file: 'model/host/host-share.js',
    find: "|| event.type === 'attempt.ended';",
    put: "|| (event.type === 'attempt.ended' && event.verdict.kind === 'ok');",
  },
  {
    name: 'attempts start without a free slot',
    file: 'model/dispatch/dispatch.js',
    find: 'if (given !== null || freeSlots(host) === 0)',
    put: 'if (given !== null)',
  },
  {
    name: 'a task does not wait for its needs',
    file: 'model/tasks/evolve-task.js',
    find: ').length;\n    if (task.graph.unmetNeeds === 0)',
    put: ').length;\n    if (task.graph.unmetNeeds >= 0)',
  },
  {
    name: 'dependants of a failed task are forgotten',
    file: 'model/tasks/end-task.js',
    find: 'if (suffices(dependant, task, outcome))',
    put: 'if (true)',
  },
  {
    name: 'success without the proof of its checks',
    file: 'model/lifecycle/decide-attempt.js',
    find: "verdict.kind === 'ok' && needsProof(spec)",
    put: 'false',
  },
  {
    name: 'exit status 0 counts as success',
    file: 'model/attempt/verdict.js',
    find: 'if (status === null)\n        return failed(',
    put: "if (status === 0) return { kind: 'ok' };\n if (status === null)\n        return failed(",
  },
  {
    name: 'a lost process counts as ended',
    file: 'engine/watch/watch-launch.js',
    find: "const status = end.kind === 'ended' ? end.status : null;",
    put: "const status = end.kind === 'ended' ? end.status : 0;",
  },
  {
    name: 'output is accepted from any offset',
    file: 'model/decide-output.js',
    find: 'if (command.from !== launch.offset)',
    put: 'if (false)',
  },
  {
    name: 'a record that was torn is completed with another id',
    file: 'engine/effects/launch-effects.js',
    find: 'isPinned ? pinned.codec : (codec ?? harness.initial(agent))',
    put: '(codec ?? harness.initial(agent))',
  },
  {
    name: 'a record is put before one that may be written in part',
    file: 'model/messages/record-queue.js',
    find: 'if (!agent.mailbox.records.some(waits))',
    put: 'if (true)',
  },
  {
    name: 'the offset is not kept',
    file: 'model/attempt/evolve-launch.js',
    find: 'launch.offset = event.offset;',
    put: '',
  },
  {
    name: 'an acknowledged message is dropped before its place is known',
    file: 'model/core/states.js',
    find: "queued: { written: 'written', delivered: 'acked'",
    put: "queued: { written: 'written', delivered: 'delivered'",
  },
  {
    name: 'a signal is sent that the record does not show',
    file: 'engine/effects/run-effect.js',
    find: "await context.send({ type: 'signalled', launchId, rung })",
    put: "{ kind: 'accepted' }",
  },
  {
    name: 'the ladder has no KILL',
    file: 'model/attempt/stopping.js',
    find: "return { rung: 'kill', from: signalled.at",
    put: "return { rung: 'term', from: signalled.at",
  },
  {
    name: 'the run does not settle with its last task',
    file: 'model/tasks/end-task.js',
    find: 'if (run.graph.openTasks === all.ended.size)',
    put: 'if (false)',
  },
  {
    name: 'nobody looks at the clock',
    file: 'engine/tick.js',
    find: 'for (const wake of state.wakeAt.values())',
    put: 'for (const wake of [])',
  },
  {
    name: 'tasks start while the run is being stopped',
    file: 'model/tasks/end-task.js',
    find: "if (failure.reason === 'stopped' || run.state === 'stopping' || all.stopper !== null)",
    put: 'if (false)',
  },
  {
    name: 'an unknown cost is zero',
    file: 'harness/stream-json/turn-usage.js',
    find: 'known ? cost - before.costMicroUsd : null',
    put: 'known ? cost - before.costMicroUsd : 0',
  },
  {
    name: 'paths that somebody writes are given away',
    file: 'model/ready/interlock.js',
    find: 'if (path !== null)',
    put: 'if (false)',
  },
  {
    name: 'who waits for paths is forgotten',
    file: 'model/ready/evolve-ready.js',
    find: 'letPass(run, taskOf(run, attemptOf(',
    put: 'void (run, taskOf(run, attemptOf(',
  },
  {
    name: 'a question is decided twice',
    file: 'model/asks/check-answer.js',
    find: "if (ask.state !== 'open')",
    put: 'if (false)',
  },
  {
    name: 'what a person refused is allowed',
    file: 'engine/effects/record-text.js',
    find: 'if (!approved)',
    put: 'if (false)',
  },
  {
    name: 'a question outlives the process that asked it',
    file: 'model/lifecycle/decide-down.js',
    find: 'events.push(...expirePermissions(',
    put: 'void (expirePermissions(',
  },
  {
    name: 'time limits are ignored',
    file: 'model/decide-order.js',
    find: 'if (timeoutMs === null ||',
    put: 'if (timeoutMs !== undefined ||',
  },
  {
    name: 'effects of an attempt that failed to be saved are lost',
    file: 'model/lifecycle/decide-down.js',
    find: "events.push({ type: 'attempt.finished'",
    put: "void ({ type: 'attempt.finished'",
  },
];

/** Those that break plans and typed outputs. */
const planMutants: readonly Mutant[] = [
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
    find: 'if (attempt.corrections >= correctionsMax)',
    put: 'if (false)',
  },
  {
    name: 'a wrong output never goes back',
    file: 'model/attempt/typed-output.js',
    find: 'if (attempt.corrections >= correctionsMax)',
    put: 'if (true)',
  },
  {
    name: 'a silent agent is started again without end',
    file: 'model/attempt/relaunch.js',
    find: 'attempt.stalls <= stallsMax &&',
    put: '',
  },
  {
    name: 'a silent agent is not started again',
    file: 'model/attempt/relaunch.js',
    find: 'attempt.stalls <= stallsMax &&',
    put: 'attempt.stalls < stallsMax &&',
  },
  {
    name: 'work that was continued is compared with its last start alone',
    file: 'model/attempt/evolve-attempt.js',
    find: "if (attempt.origin === '')",
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
    find: 'work?.workspace.commit ?? run.integration.head',
    put: 'run.integration.head',
  },
  {
    name: 'a lost process is judged by the turn before',
    file: 'model/attempt/evolve-attempt.js',
    find: 'attempt.turn = null;',
    put: '',
  },
  {
    name: 'nobody is told of earlier attempts',
    file: 'model/tasks/prompt.js',
    find: 'if (task.tries.tried.length > 0)',
    put: 'if (false)',
  },
];

const gateMutants: readonly Mutant[] = [
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

export const mutants: readonly Mutant[] = [
  ...engineMutants,
  ...planMutants,
  ...gateMutants,
  ...askingMutants,
  ...artifactMutants,
  ...childrenMutants,
  ...teamMutants,
  ...landingMutants,
  ...integrationMutants,
  ...spendingMutants,
];
