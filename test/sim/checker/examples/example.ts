// A small history that keeps every invariant, as a list of steps that a test can spoil in one place.
// Task a crashes once and then succeeds with a check and a message from a person, and its work integrates; task b needs a and
// is stopped.

import type { WorldEntry } from '../../world/world-entries.ts';
import type { History, HistoryCommit, HistoryEvent } from '../history.ts';

export type Step = { readonly commit: EventDraft[] } | { readonly world: EntryDraft };

export interface EventDraft {
  stream: string;
  type: string;
  at: number;
  data: Record<string, unknown>;
}

export type EntryDraft = { kind: string } & Record<string, unknown>;

export const runId = 'run_1';
export const host = 'host/here';
let clock = 0;

export function example(): Step[] {
  return withNotices(storyOfTwo());
}

function storyOfTwo(): Step[] {
  resetClock();
  const retry = { attemptsMax: 2, delayMs: 100, delayMaxMs: 1_000 };
  const common = { prompt: 'do it', retry, timeoutMs: 60_000 };
  const a = { id: 'task_a', needs: [], checks: [{ name: 'test' }], ...common };
  const b = { id: 'task_b', needs: ['task_a'], checks: [], ...common };
  return [
    world('engineUp', { engine: 1 }),
    commit(on(host, 'host.configured', { slots: 1 })),
    commit(
      event('run.created', {
        run: { id: runId, repo: { base: 'base' }, integrates: true, limits: { parallelMax: 1 } },
      }),
      event('task.added', { task: a }),
      event('task.added', { task: b }),
      ...start('a', 1),
    ),
    world('ordered', { order: 'submit', answer: 'accepted' }),
    ...launch('a-1'),
    ...say('a-1', 76, { type: 'system', subtype: 'init', session_id: 's1' }),
    world('exited', { launchId: 'launch_a-1-1', status: 1, cause: 'itself' }),
    commit(
      event('agent.session', { agentId: 'agent_a-1', session: 's1' }),
      event('launch.read', { launchId: 'launch_a-1-1', offset: 76 }),
      event('launch.ended', { launchId: 'launch_a-1-1', status: 1 }),
      event('attempt.finished', { attemptId: 'attempt_a-1', verdict: failed('crash') }),
    ),
    ...saved('a-1', [
      event('attempt.ended', { attemptId: 'attempt_a-1', verdict: failed('crash') }),
      event('task.delayed', { taskId: 'task_a', delayMs: 100 }),
      on(host, 'slot.freed', { attemptId: 'attempt_a-1' }),
    ]),
    commit(event('task.due', { taskId: 'task_a' }), ...start('a', 2)),
    ...launch('a-2', 'base', toldOfCrash),
    ...secondTry(),
    ...stoppedTask(),
    world('healed', {}),
  ];
}

function secondTry(): Step[] {
  const result = { type: 'result', is_error: false, result: 'done', usage: { input_tokens: 5, output_tokens: 7 } };
  const usage = { inputTokens: 5, outputTokens: 7, cacheReadTokens: 0, cacheWriteTokens: 0, turns: 1 };
  const kept = { launchId: 'launch_a-2-1', input: 5, output: 7, read: 0, written: 0 };
  const ids = { agentId: 'agent_a-2', attemptId: 'attempt_a-2', taskId: 'task_a', launchId: 'launch_a-2-1' };
  const { agentId, attemptId, taskId, launchId } = ids;
  const told = (costMicroUsd: number | null): EventDraft[] => [
    event('usage.recorded', { agentId, taskId, usage: { ...usage, costMicroUsd } }),
    on(host, 'day.spent', { day: dayOf(clock), parts: [{ model: null, usage: { ...usage, costMicroUsd } }] }),
    event('turn.ended', { agentId, attemptId, turn: { kind: 'ok', text: 'done', cut: false } }),
  ];
  return [
    ...say('a-2', 10, { type: 'user', isReplay: true, uuid: 'record_a-2-1' }),
    commit(queued('record_p', 'a-2', { kind: 'text', text: 'and this' })),
    world('ordered', { order: 'send record_p', answer: 'accepted' }),
    world('requested', { ...kept, costMicroUsd: 250_000 }),
    world('kept', { ...kept, costMicroUsd: 250_000 }),
    ...say('a-2', 20, { ...result, total_cost_usd: 0.25 }),
    commit(
      event('record.delivered', { recordId: 'record_a-2-1', agentId }),
      ...told(250_000),
      event('launch.read', { launchId, offset: 20 }),
    ),
    receive('a-2', 'record_p', 'and this'),
    commit(event('record.written', { recordId: 'record_p', agentId, launchId, end: 200 })),
    ...say('a-2', 30, { type: 'user', isReplay: true, uuid: 'record_p' }),
    world('requested', { ...kept, costMicroUsd: null }),
    world('kept', { ...kept, costMicroUsd: null }),
    ...say('a-2', 40, result),
    commit(
      event('record.delivered', { recordId: 'record_p', agentId }),
      ...told(null),
      event('launch.read', { launchId, offset: 40 }),
      event('stop.asked', { attemptId, reason: 'finished', detail: '' }),
      queued('record_a-2-2', 'a-2', { kind: 'end' }),
    ),
    control('a-2', 'record_a-2-2', 'end_session'),
    world('exited', { launchId, status: 0, cause: 'word' }),
    commit(
      event('launch.ended', { launchId, status: 0 }),
      event('attempt.finished', { attemptId, verdict: { kind: 'ok' } }),
    ),
    ...saved('a-2', []),
    world('checked', { attemptId, commit: 'commit_a-2', check: 'test', passed: true }),
    commit(
      event('evidence.recorded', { attemptId, items: [...proofs, { check: 'test', passed: true }] }),
      event('integration.queued', { attemptId }),
    ),
    world('integrateOrdered', { engine: 1, runId, head: 'base', works: [{ attemptId, wanted: true }] }),
    world('treeChecked', { runId, commit: 'merged-a', command: 'test', passed: true }),
    moved('a-2', 'base', 'merged-a'),
    commit(
      integratedAt('a-2', 'merged-a', [{ check: 'test', passed: true }]),
      event('attempt.ended', { attemptId, verdict: { kind: 'ok' } }),
      event('task.ended', { taskId, outcome: { kind: 'succeeded', commit: 'commit_a-2' } }),
      on(host, 'slot.freed', { attemptId }),
      ...start('b', 1),
    ),
  ];
}

function stoppedTask(): Step[] {
  const attemptId = 'attempt_b-1';
  const launchId = 'launch_b-1-1';
  return [
    ...launch('b-1', 'merged-a'),
    commit(
      event('run.stopAsked', { by: 'me' }),
      event('stop.asked', { attemptId, reason: 'stopped', detail: '' }),
      queued('record_b-1-2', 'b-1', { kind: 'interrupt' }),
      queued('record_b-1-3', 'b-1', { kind: 'end' }),
    ),
    world('ordered', { order: 'stop', answer: 'accepted' }),
    commit(event('launch.signalled', { launchId, rung: 'term' })),
    world('signalled', { launchId, rung: 'term' }),
    commit(event('launch.signalled', { launchId, rung: 'kill' })),
    world('signalled', { launchId, rung: 'kill' }),
    world('vanished', { launchId }),
    commit(event('launch.lost', { launchId }), event('attempt.finished', { attemptId, verdict: failed('stopped') })),
    ...saved('b-1', [
      event('attempt.ended', { attemptId, verdict: failed('stopped') }),
      event('task.ended', { taskId: 'task_b', outcome: { kind: 'stopped' } }),
      event('run.ended', { outcome: 'stopped' }),
      on(host, 'slot.freed', { attemptId }),
    ]),
  ];
}

export function start(task: string, n: number): EventDraft[] {
  const attemptId = `attempt_${task}-${n}`;
  const ids = { attemptId, taskId: `task_${task}`, agentId: `agent_${task}-${n}` };
  return [
    event('attempt.started', { ...ids, n, host: 'here' }),
    event('agent.created', { agentId: ids.agentId, taskId: ids.taskId, name: task }),
    queued(`record_${task}-${n}-1`, `${task}-${n}`, { kind: 'prompt' }),
    on(host, 'slot.taken', { attemptId, runId }),
  ];
}

const toldOfCrash = 'do it\n\n## Earlier attempts\n\nAttempt 1 ended with crash: it changed no file.';

export function launch(name: string, base = 'base', prompt = 'do it'): Step[] {
  const launchId = `launch_${name}-1`;
  const attemptId = `attempt_${name}`;
  const recordId = `record_${name}-1`;
  return [
    world('workspaceMade', { attemptId, base }),
    commit(
      event('workspace.ready', { attemptId, path: '', base }),
      event('launch.intended', { launchId, attemptId, resume: false }),
    ),
    world('spawned', { launchId, attemptId }),
    commit(event('launch.started', { launchId, process: null })),
    receive(name, recordId, prompt),
    commit(event('record.written', { recordId, agentId: `agent_${name}`, launchId, end: 100 })),
  ];
}

/** The run's branch gets the work of an attempt. */
export function moved(name: string, from: string, to: string): Step {
  const work = { attemptId: `attempt_${name}`, commit: `commit_${name}`, to };
  return world('branchMoved', { runId, from, to, works: [work] });
}

export function integratedAt(name: string, head: string, items: object[] = []): EventDraft {
  return event('integration.succeeded', { attemptId: `attempt_${name}`, head, tree: `tree of ${head}`, items });
}

/** What every attempt that keeps its work has beside its checks. */
export const proofs = [
  { check: 'committed work', passed: true, detail: 'all of it' },
  { check: 'background work', passed: true, detail: '' },
];

export function saved(name: string, then: EventDraft[]): Step[] {
  const work = { attemptId: `attempt_${name}`, ref: `refs/${name}`, commit: `commit_${name}` };
  return [world('refSet', work), commit(event('workspace.saved', work), ...then)];
}

export function say(name: string, end: number, line: object): Step[] {
  return [world('printed', { launchId: `launch_${name}-1`, line: JSON.stringify(line), end })];
}

export function receive(name: string, uuid: string, content: string): Step {
  const record = `${JSON.stringify({ type: 'user', message: { role: 'user', content }, uuid })}\n`;
  return world('received', { launchId: `launch_${name}-1`, record });
}

export function control(name: string, id: string, subtype: string): Step {
  const record = `${JSON.stringify({ type: 'control_request', request_id: id, request: { subtype } })}\n`;
  return world('received', { launchId: `launch_${name}-1`, record });
}

export function queued(recordId: string, name: string, body: object): EventDraft {
  return event('record.queued', { recordId, agentId: `agent_${name}`, from: 'signalbox', body });
}

export function failed(reason: string): object {
  return { kind: 'failed', failure: { reason, detail: '' } };
}

/** The time of the commit that is being written. */
export function now(): number {
  return clock;
}

/** As people here call it. */
export function dayOf(at: number): string {
  const date = new Date(at);
  const two = (part: number): string => String(part).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** Every history begins at the same time. */
export function resetClock(): void {
  clock = 1_000;
}

export function commit(...events: EventDraft[]): Step {
  clock += 200;
  return { commit: events };
}

/** With notices: raised with their event, and confirmed after it. */
export function withNotices(steps: readonly Step[]): Step[] {
  return steps.flatMap((step) => {
    if (!('commit' in step)) return [step];
    const keys = step.commit.flatMap(noticeOf);
    const raised = keys.map((key) => ({ ...hostNotice('raised', key), at: step.commit[0]?.at ?? 0 }));
    const sent = keys.flatMap((key) => [world('notified', { key }), commit(hostNotice('sent', key))]);
    return [{ commit: [...step.commit, ...raised] }, ...sent];
  });
}

function noticeOf({ type, at, data }: EventDraft): string[] {
  const { outcome, taskId } = data as { outcome?: { kind?: string }; taskId?: string };
  if (type === 'run.ended') return [`ended ${runId} ${at}`];
  return type === 'task.ended' && outcome?.kind === 'failed' ? [`failed ${taskId} ${at}`] : [];
}

function hostNotice(what: 'raised' | 'sent', key: string): EventDraft {
  return on(host, `notice.${what}`, what === 'raised' ? { key, runId } : { key });
}

export function world(kind: string, fields: Record<string, unknown>): Step {
  return { world: { kind, ...fields } };
}

export function event(type: string, data: Record<string, unknown>): EventDraft {
  return on(runId, type, data);
}

export function on(stream: string, type: string, data: Record<string, unknown>): EventDraft {
  return { stream, type, at: clock, data };
}

export type Hash = (event: Omit<HistoryEvent, 'hash'>) => string;

/** The steps as the checker wants them. */
export function historyOf(steps: readonly Step[], ended = true, hash: Hash = () => ''): History {
  const streams = new Map<string, HistoryEvent[]>();
  const entries: WorldEntry[] = [];
  const commits: HistoryCommit[] = [];
  for (const step of steps) {
    if ('world' in step) {
      entries.push({ t: entries.length, ...step.world } as unknown as WorldEntry);
      continue;
    }
    const heads = new Map<string, number>();
    for (const { stream, type, at, data } of step.commit) {
      const events = streams.get(stream) ?? [];
      streams.set(stream, events);
      const prevHash = events.at(-1)?.hash ?? '0'.repeat(64);
      const sealed = { stream, seq: events.length + 1, at, type, data: JSON.stringify(data), prevHash };
      events.push({ ...sealed, hash: hash(sealed) });
      heads.set(stream, events.length);
    }
    if (heads.size > 0) commits.push({ worldIndex: entries.length, heads });
  }
  return { streams, world: entries, commits, ended };
}
