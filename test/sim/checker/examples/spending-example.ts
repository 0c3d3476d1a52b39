// A history of budgets and refusals that keeps every invariant. Task a is parked when the run's budget is exhausted, continues
// when there is more, is refused by its service, tries it again, is served, and dies in the middle of a turn; task b begins
// when the service serves.

import {
  commit,
  dayOf,
  type EventDraft,
  event,
  failed,
  host,
  now,
  on,
  queued,
  resetClock,
  runId,
  type Step,
  saved,
  start,
  withNotices,
  world,
} from './example.ts';

const attemptId = 'attempt_a-1';
const agentId = 'agent_a-1';
const taskId = 'task_a';

export function spendingExample(): Step[] {
  return withNotices(storyOfSpending());
}

function storyOfSpending(): Step[] {
  resetClock();
  const common = { needs: [], harness: 'h', prompt: 'do it', retry: { attemptsMax: 1, delayMs: 1, delayMaxMs: 1 } };
  const limits = { parallelMax: 2, budget: { turns: 2 } };
  return [
    world('engineUp', { engine: 1 }),
    commit(on(host, 'host.configured', { slots: 2 })),
    commit(
      event('run.created', { run: { id: runId, repo: { base: 'base' }, integrates: false, limits } }),
      event('task.added', { task: { id: taskId, ...common } }),
      event('task.added', { task: { id: 'task_b', ...common, name: 'b' } }),
      ...start('a', 1),
    ),
    world('workspaceMade', { attemptId, base: 'base' }),
    commit(event('workspace.ready', { attemptId, base: 'base' }), intend(1)),
    ...comesUp(1, 'record_a-1-1', 'do it'),
    ...heldAtRound(),
    ...refusedOnce(),
    ...triesAgain(),
    ...diesWhenStopped(),
    world('healed', {}),
  ];
}

/** Two requests: after the second nothing is left. */
function heldAtRound(): Step[] {
  return [
    ...asksModel(1),
    say(1, 40, round('r1')),
    commit(
      event('record.delivered', { recordId: 'record_a-1-1', agentId }),
      metered(1),
      answer('record_a-1-2', 'r1', true),
      read(1, 40),
    ),
    hears(1, 'r1', {}),
    ...asksModel(1),
    say(1, 60, round('r2')),
    commit(metered(2), braked(), answer('record_a-1-3', 'r2', false), read(1, 60)),
    commit(
      event('ask.opened', {
        askId: 'ask_1-r1',
        kind: 'budget',
        scope: { of: 'run' },
        what: 'turns',
        spent: 2,
        limit: 2,
      }),
    ),
    hears(1, 'r2', { continue: false }),
    say(1, 80, { type: 'result', is_error: false, result: '', usage: tokens(2), total_cost_usd: 0.002 }),
    commit(...recorded(2), ended({ kind: 'ok', text: '', cut: false }), read(1, 80), ...stopped('record_a-1-4')),
    ...goesDown(1, 'record_a-1-4', 'budget'),
    commit(
      event('budget.set', { scope: { of: 'run' }, budget: { turns: 9 }, by: 'me' }),
      event('ask.answered', { askId: 'ask_1-r1', approved: true, by: 'me', values: null }),
    ),
    world('ordered', { order: 'setBudget', answer: 'accepted' }),
  ];
}

function refusedOnce(): Step[] {
  const line = { limit: 'rate', strikes: 1, probe: null, cap: null, goal: 1 };
  return [
    commit(...goesOn(2, 'record_a-1-5', {})),
    ...comesUp(2, 'record_a-1-5', 'go on'),
    world('refused', { launchId: launchId(2), line: 'h' }),
    say(2, 40, { type: 'result', is_error: true, result: 'no', api_error_status: 429, usage: tokens(0) }),
    commit(
      event('record.delivered', { recordId: 'record_a-1-5', agentId }),
      ...recorded(0),
      event('attempt.limited', { attemptId, limit: 'rate', untilMs: null }),
      ended(failed('rate-limit')),
      read(2, 40),
      braked(),
      ...stopped('record_a-1-6'),
      on(host, 'line.set', { name: 'h', line: { ...line, since: now(), until: now() + 300 } }),
    ),
    ...goesDown(2, 'record_a-1-6', 'quota'),
  ];
}

function triesAgain(): Step[] {
  return [
    commit(...goesOn(3, 'record_a-1-7', { probe: true })),
    ...comesUp(3, 'record_a-1-7', 'go on'),
    ...asksModel(3),
    say(3, 40, round('r3')),
    commit(
      event('record.delivered', { recordId: 'record_a-1-7', agentId }),
      event('attempt.served', { attemptId }),
      metered(3),
      answer('record_a-1-8', 'r3', true),
      read(3, 40),
      on(host, 'line.set', { name: 'h', line: null }),
      ...start('b', 1),
    ),
  ];
}

function diesWhenStopped(): Step[] {
  const b = 'attempt_b-1';
  const stop = { reason: 'stopped', detail: '' };
  const ends = (id: string, task: string): EventDraft[] => [
    event('attempt.ended', { attemptId: id, verdict: failed('stopped') }),
    event('task.ended', { taskId: task, outcome: { kind: 'stopped' } }),
    on(host, 'slot.freed', { attemptId: id }),
  ];
  return [
    commit(
      event('run.stopAsked', { by: 'me' }),
      event('stop.asked', { attemptId, ...stop }),
      event('stop.asked', { attemptId: b, ...stop }),
    ),
    world('ordered', { order: 'stop', answer: 'accepted' }),
    world('workspaceMade', { attemptId: b, base: 'base' }),
    commit(
      event('workspace.ready', { attemptId: b, base: 'base' }),
      event('attempt.finished', { attemptId: b, verdict: failed('stopped') }),
    ),
    ...saved('b-1', ends(b, 'task_b')),
    world('vanished', { launchId: launchId(3) }),
    commit(
      event('launch.lost', { launchId: launchId(3) }),
      ...recorded(1),
      event('attempt.finished', { attemptId, verdict: failed('stopped') }),
    ),
    ...saved('a-1', [...ends(attemptId, taskId), event('run.ended', { outcome: 'stopped' })]),
  ];
}

const launchId = (n: number): string => `launch_a-1-${n}`;
const intend = (n: number): EventDraft => event('launch.intended', { launchId: launchId(n), attemptId, resume: n > 1 });
const read = (n: number, offset: number): EventDraft => event('launch.read', { launchId: launchId(n), offset });
const braked = (): EventDraft => event('attempt.braked', { attemptId, why: { kind: 'budget', detail: '' } });
const ended = (turn: object): EventDraft => event('turn.ended', { agentId, attemptId, turn });
const round = (id: string): object => ({
  type: 'control_request',
  request_id: id,
  request: { subtype: 'hook_callback', callback_id: 'round' },
});
const tokens = (requests: number): object => ({ input_tokens: 5 * requests, output_tokens: 7 * requests });

function say(n: number, end: number, line: object): Step {
  return world('printed', { launchId: launchId(n), line: JSON.stringify(line), end });
}

/** What a number of requests used. */
function used(requests: number): object {
  return {
    inputTokens: 5 * requests,
    outputTokens: 7 * requests,
    cacheReadTokens: 0,
    cacheWriteTokens: 0,
    turns: requests,
    costMicroUsd: requests === 0 ? null : 1_000 * requests,
  };
}

function recorded(requests: number): EventDraft[] {
  const part = { model: 'm', usage: used(requests) };
  return [
    event('usage.recorded', { agentId, taskId, ...part }),
    on(host, 'day.spent', { day: dayOf(now()), parts: [part] }),
  ];
}

/** What the session has used in all. */
function metered(requests: number): EventDraft {
  return event('usage.metered', { agentId, parts: [{ model: 'm', usage: used(requests) }] });
}

function asksModel(n: number): Step[] {
  const use = { launchId: launchId(n), input: 5, output: 7, read: 0, written: 0, costMicroUsd: 1_000 };
  return [world('requested', use), world('kept', use)];
}

function comesUp(n: number, recordId: string, content: string): Step[] {
  const request = { subtype: 'initialize', hooks: { PostToolBatch: [] } };
  const message = { type: 'user', message: { role: 'user', content }, uuid: recordId };
  const records = [{ type: 'control_request', request_id: 'initialize', request }, message];
  return [
    world('spawned', { launchId: launchId(n), attemptId }),
    commit(event('launch.started', { launchId: launchId(n), process: null })),
    ...records.map((each) => world('received', { launchId: launchId(n), record: `${JSON.stringify(each)}\n` })),
    say(n, 10, { type: 'system', subtype: 'init', session_id: 's1' }),
    say(n, 20, { type: 'user', isReplay: true, uuid: recordId }),
    commit(event('agent.session', { agentId, session: 's1' })),
  ];
}

function answer(recordId: string, requestId: string, goOn: boolean): EventDraft {
  return queued(recordId, 'a-1', { kind: 'round', requestId, goOn });
}

function hears(n: number, requestId: string, response: object): Step {
  const record = { type: 'control_response', response: { subtype: 'success', request_id: requestId, response } };
  return world('received', { launchId: launchId(n), record: `${JSON.stringify(record)}\n` });
}

function stopped(recordId: string): EventDraft[] {
  return [event('stop.asked', { attemptId, reason: 'parked', detail: '' }), queued(recordId, 'a-1', { kind: 'end' })];
}

function goesDown(n: number, recordId: string, kind: string): Step[] {
  const record = { type: 'control_request', request_id: recordId, request: { subtype: 'end_session' } };
  return [
    world('received', { launchId: launchId(n), record: `${JSON.stringify(record)}\n` }),
    world('exited', { launchId: launchId(n), status: 0, cause: 'word' }),
    commit(
      event('launch.ended', { launchId: launchId(n), status: 0 }),
      event('attempt.parked', { attemptId, why: { kind, detail: '' } }),
      on(host, 'slot.freed', { attemptId }),
    ),
  ];
}

function goesOn(n: number, recordId: string, admission: object): EventDraft[] {
  return [
    event('attempt.unparked', { attemptId, ...admission }),
    intend(n),
    queued(recordId, 'a-1', { kind: 'text', text: 'go on' }),
    on(host, 'slot.taken', { attemptId, runId }),
  ];
}
