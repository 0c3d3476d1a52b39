// The checker's own proof: a history that keeps every invariant passes, and each way of spoiling it is seen.

import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { check, describe as tell } from '../checker.ts';
import { after, drop, edit, find, move, patch, rename, repeat, replaceText, type Spoilt } from './corrupt.ts';
import { commit, event, example, type Hash, historyOf, type Step, world } from './example.ts';

it('a history that keeps every invariant passes', () => {
  expect(check(historyOf(example()))).toEqual([]);
});

const spoilt: Spoilt[] = [
  [
    'a process ended by a signal nobody asked for',
    1,
    /no durable stop/,
    (s) => patch(s, 'exited', 'a-1', { cause: 'term' }),
  ],
  ['a term that was never sent', 1, /never sent/, (s) => patch(s, 'exited', 'a-2', { cause: 'term' })],
  [
    'a signal before its reason is durable',
    1,
    /no durable stop/,
    (s) => move(s, ['signalled', 'term'], ['run.stopAsked']),
  ],
  [
    'a kill without the ladder',
    1,
    /killed before term/,
    (s) => {
      drop(s, 'signalled', 'term');
      drop(s, 'launch.signalled', 'term');
    },
  ],
  ['a kill that is not in the record', 1, /does not say so/, (s) => drop(s, 'launch.signalled', 'kill')],
  ['an end that nobody asked for', 1, /no stop.asked/, (s) => drop(s, 'stop.asked', 'a-2')],
  ['a result line that was skipped', 1, /ended 1 turns/, (s) => drop(s, 'turn.ended', 'a-2')],
  ['a usage recorded twice', 1, /told 1 usages/, (s) => repeat(s, 'usage.recorded', 'a-2')],
  ['wrong tokens', 1, /used 5\/7/, (s) => patch(s, 'usage.recorded', 'a-2', { usage: usage(250_000, 6) })],
  ['a wrong cost', 1, /a cost that .* unknown/, (s) => patch(s, 'usage.recorded', 'a-2', { usage: usage(null) })],
  ['a landing that was not recorded', 1, /not recorded as delivered/, (s) => drop(s, 'record.delivered', 'a-2-1')],
  ['a landing that nobody acknowledged', 1, /never acknowledged/, (s) => drop(s, 'printed', 'record_p')],
  ['output that was never read', 1, /never read/, (s) => drop(s, 'launch.read', 'a-1')],
  ['a lost session', 1, /told its session/, (s) => drop(s, 'agent.session', 'a-1')],
  ['an offset that goes back', 1, /the offset of/, (s) => patch(s, 'launch.read', '"offset":40', { offset: 15 })],
  ['an offset inside a line', 1, /no line/, (s) => patch(s, 'launch.read', 'a-1', { offset: 70 })],
  ['a task before its run', 2, /before the run was created/, (s) => drop(s, 'run.created', '')],
  ['an event after the end', 2, /after it was ended/, (s) => s.push(commit(event('run.stopAsked', { by: 'me' })))],
  ['an event nobody knows', 2, /which no run has/, (s) => rename(s, 'agent.session', 'agent.dreamt')],
  ['an attempt that goes on after its end', 2, /after that attempt ended/, (s) => repeat(s, 'attempt.ended', 'a-1')],
  ['a workspace that is ready twice', 2, /while it is/, (s) => repeat(s, 'workspace.ready', 'a-1')],
  ['a second reason to stop', 2, /is ending for/, (s) => repeat(s, 'stop.asked', 'b-1')],
  [
    'a failed turn taken for a good one',
    3,
    /failed turn/,
    (s) => replaceText(s, 'printed', '"is_error":false', '"is_error":true'),
  ],
  [
    'success without a turn',
    3,
    /ended never/,
    (s) => {
      drop(s, 'stop.asked', 'a-2');
      for (let i = 0; i < 2; i++) {
        drop(s, 'turn.ended', 'a-2');
        drop(s, 'usage.recorded', 'a-2');
        drop(s, 'printed', 'is_error');
      }
    },
  ],
  ['a lost launch that lives', 3, /as lost while it lives/, (s) => drop(s, 'vanished', '')],
  ['a wrong exit status', 3, /its status was 1/, (s) => patch(s, 'launch.ended', 'a-1', { status: 2 })],
  ['an end before the process ended', 3, /while it lives/, (s) => move(s, ['launch.ended', 'a-1'], ['exited', 'a-1'])],
  [
    'a status that was lost',
    3,
    /it left the status/,
    (s) => {
      rename(s, 'launch.ended', 'launch.lost', 'a-1');
    },
  ],
  ['a finished attempt whose process is up', 3, /not known to be down/, (s) => drop(s, 'launch.ended', 'a-2')],
  ['a ended run with an open task', 3, /is ended while/, (s) => drop(s, 'task.ended', 'task_b')],
  ['a wrong outcome of the run', 3, /not "?stopped/, (s) => patch(s, 'run.ended', '', { outcome: 'partial' })],
  [
    'a stopped attempt that is called a crash',
    3,
    /but was stopped/,
    (s) => patch(s, 'attempt.finished', 'b-1', { verdict: { kind: 'failed', failure: { reason: 'crash' } } }),
  ],
  ['a check that was never run', 4, /never run/, (s) => drop(s, 'checked', '')],
  ['a check that failed', 4, /failed when it was run last/, (s) => patch(s, 'checked', '', { passed: false })],
  ['a check on another commit', 4, /was run on other/, (s) => patch(s, 'checked', '', { commit: 'other' })],
  ['success without evidence', 4, /without any evidence/, (s) => drop(s, 'evidence.recorded', '')],
  [
    'success with a check left out',
    4,
    /without evidence that/,
    (s) => patch(s, 'evidence.recorded', '', { items: [] }),
  ],
  [
    'evidence that says the contrary of what was saved',
    4,
    /says the contrary/,
    (s) => replaceText(s, 'evidence.recorded', '"all of it"', '"1 path was not committed"'),
  ],
  ['a branch on which a check was never run', 4, /test was never run/, (s) => drop(s, 'treeChecked', '')],
  ['a branch on which a check fails', 4, /where test fails/, (s) => patch(s, 'treeChecked', '', { passed: false })],
  [
    'an integration without what proves it',
    4,
    /without evidence that test passes there/,
    (s) => patch(s, 'integration.succeeded', '', { items: [] }),
  ],
  ['an integration of another tree', 2, /and not as x/, (s) => patch(s, 'integration.succeeded', '', { tree: 'x' })],
  [
    'work that is taken out of the queue by nobody',
    8,
    /nobody stopped it/,
    (s) => replaceText(s, 'integrateOrdered', '"wanted":true', '"wanted":false'),
  ],
  [
    'success with a commit nobody saved',
    4,
    /saved was/,
    (s) => patch(s, 'task.ended', 'task_a', { outcome: { kind: 'succeeded', commit: 'other' } }),
  ],
  [
    'a turn that is too long',
    5,
    /characters/,
    (s) => patch(s, 'turn.ended', 'a-2', { turn: { kind: 'ok', text: 'x'.repeat(2_001), cut: true } }),
  ],
  ['a record that was never queued', 5, /never queued/, (s) => replaceText(s, 'received', 'record_p', 'record_q')],
  ['a record received twice', 5, /received record_p twice/, (s) => repeat(s, 'received', 'record_p')],
  ['a record with other words', 5, /something else/, (s) => replaceText(s, 'received', 'and this', 'and that')],
  ['a record written twice', 5, /written to .* twice/, (s) => repeat(s, 'record.written', 'record_p')],
  ['a message queued twice', 5, /second time/, (s) => repeat(s, 'record.queued', 'record_p')],
  ['an attempt that ended unsaved', 6, /not saved/, (s) => drop(s, 'workspace.saved', 'a-1')],
  ['a ref that was never set', 6, /does not hold/, (s) => drop(s, 'refSet', 'a-1')],
  ['a ref that was moved', 6, /moved off/, (s) => after(s, ['workspace.saved', 'a-1'], refSet('other'))],
  [
    'a launch without an intent',
    7,
    /without a durable intent/,
    (s) => move(s, ['spawned', 'a-2'], ['launch.intended', 'a-2']),
  ],
  ['a launch spawned twice', 7, /spawned twice/, (s) => repeat(s, 'spawned', 'a-2')],
  [
    'two live processes of an attempt',
    7,
    /two live processes/,
    (s) => after(s, ['spawned', 'a-2'], world('spawned', { launchId: 'launch_a-2-2', attemptId: 'attempt_a-2' })),
  ],
  ['a process left alive', 7, /leaves launch_a-1-1 alive/, (s) => drop(s, 'exited', 'a-1')],
  ['more attempts than slots', 7, /which has 0/, (s) => drop(s, 'host.configured', '')],
  ['a slot that leaks', 7, /without freeing/, (s) => drop(s, 'slot.freed', 'a-1')],
  ['a start without a slot', 7, /without taking/, (s) => drop(s, 'slot.taken', 'b-1')],
  [
    'more attempts than the run allows',
    7,
    /allows 0/,
    (s) => patch(s, 'run.created', '', { run: { id: 'run_1', limits: { parallelMax: 0 } } }),
  ],
  ['a start before its need succeeded', 7, /has not succeeded/, (s) => drop(s, 'task.ended', 'task_a')],
  [
    'a start after the stop',
    7,
    /while run_1 is stopping/,
    (s) => move(s, ['run.stopAsked', ''], ['attempt.started', 'b-1']),
  ],
  [
    'a retry beyond the limit',
    7,
    /all it may have/,
    (s) => replaceText(s, 'task.added', '"attemptsMax":2', '"attemptsMax":1'),
  ],
  ['a retry of what no retry cures', 7, /no retry cures/, (s) => replaceText(s, 'attempt.ended', 'crash', 'refusal')],
  [
    'a retry before its time',
    8,
    /is due after/,
    (s) => edit(s, 'task.due', '', (draft) => Object.assign(draft, { at: (draft['at'] as number) - 150 })),
  ],
  ['a retry that does not wait', 8, /before task_a was due/, (s) => drop(s, 'task.due', '')],
  ['a retry that is forgotten', 8, /nothing follows/, (s) => drop(s, 'task.delayed', '')],
  ['a delay out of proportion', 8, /about 100/, (s) => patch(s, 'task.delayed', '', { delayMs: 5 })],
  ['a stop that leaves an attempt alone', 8, /nobody stops attempt_b-1/, (s) => drop(s, 'stop.asked', 'b-1')],
  [
    'a lost process that is not taken up again',
    8,
    /lost in the middle of its work/,
    (s) => {
      drop(s, 'run.stopAsked', '');
      drop(s, 'stop.asked', 'b-1');
    },
  ],
  ['a time limit that was not reached', 8, /time limit/, (s) => patch(s, 'stop.asked', 'b-1', { reason: 'timeout' })],
  ['a run that never ends', 8, /is stopping/, (s) => drop(s, 'run.ended', '')],
  ['an accepted order that was forgotten', 8, /no trace/, (s) => drop(s, 'run.stopAsked', '')],
  ['a message that was accepted and lost', 8, /in no stream/, (s) => drop(s, 'record.queued', 'record_p')],
  ['an agent that ends while records waits', 8, /while records waits/, (s) => drop(s, 'record.delivered', 'record_p')],
  ['an unknown cost called zero', 9, /did not tell/, (s) => patch(s, 'usage.recorded', 'null', { usage: usage(0) })],
  [
    'a launch without a status called ended',
    9,
    /left no status/,
    (s) => {
      rename(s, 'launch.lost', 'launch.ended');
      patch(s, 'launch.ended', 'b-1', { status: 0 });
    },
  ],
];

it.each(spoilt)('%s is detected (%i)', (_name, invariant, told, spoil) => {
  const steps = structuredClone(example());
  spoil(steps);
  const found = check(historyOf(steps)).filter((violation) => violation.invariant === invariant);
  expect(found.map(({ what }) => what).filter((what) => told.test(what))).not.toEqual([]);
});

/** The agent of a-2 was to rest when its process vanished; its team lets it go then. */
function lostAtRest(steps: Step[]): void {
  patch(steps, 'stop.asked', 'a-2', { reason: 'parked' });
  edit(steps, 'exited', 'a-2', (draft) => Object.assign(draft, { kind: 'vanished' }));
  const { step, at } = find(steps, 'launch.ended', 'a-2');
  const down = steps[step];
  if (down === undefined || !('commit' in down)) throw new Error('its end is in a commit');
  down.commit.splice(at, 1, event('launch.lost', { launchId: 'launch_a-2-1' }), event('attempt.parked', waits));
}

const waits = { attemptId: 'attempt_a-2', why: { kind: 'waits', detail: '' } };

it('an agent whose process is lost after the end of its turn was not in the middle of its work', () => {
  const steps = structuredClone(example());
  lostAtRest(steps);
  const found = check(historyOf(steps)).map(({ what }) => what);
  expect(found.filter((what) => what.includes('parked'))).not.toEqual([]);
  expect(found.filter((what) => what.includes('in the middle'))).toEqual([]);
});

it('work that does not end in a healed world is detected, with the open tasks', () => {
  const whole = example();
  const steps = [...whole.slice(0, find(whole, 'launch.lost', '').step), world('healed', {})];
  const [violation] = check(historyOf(steps, false)).filter(({ what }) => what.includes('did not come to its end'));
  expect(violation?.invariant).toBe(8);
  expect(violation?.what).toContain('task_b');
});

const sha: Hash = ({ prevHash, stream, seq, at, type, data }) =>
  createHash('sha256')
    .update(`${prevHash}:${stream.length}:${stream}:${seq}:${at}:${type.length}:${type}:${data}`)
    .digest('hex');

it('an altered event is detected when hashes are checked', () => {
  const history = historyOf(example(), true, sha);
  expect(check(history, { hashes: true })).toEqual([]);
  const events = [...(history.streams.get('run_1') ?? [])];
  events[3] = { ...(events[3] as (typeof events)[number]), at: 7 };
  const altered = { ...history, streams: new Map([...history.streams, ['run_1', events]]) };
  expect(check(altered, { hashes: true }).map(({ invariant }) => invariant)).toEqual([2]);
});

it('a missing event is detected', () => {
  const history = historyOf(example());
  const events = (history.streams.get('run_1') ?? []).filter(({ seq }) => seq !== 5);
  const gap = { ...history, streams: new Map([...history.streams, ['run_1', events]]) };
  expect(check(gap).some(({ invariant, what }) => invariant === 2 && /event 5 .* is missing/.test(what))).toBe(true);
});

it('the report names what is wrong and what happened to the task, on one page', () => {
  const steps = example();
  drop(steps, 'vanished', '');
  const history = historyOf(steps);
  const report = tell(history, check(history));
  expect(report).toMatch(/\[3\] launch_b-1-1 is recorded as lost while it lives/);
  expect(report).toMatch(/world \d+ at \d+: spawned launchId=launch_b-1-1/);
  expect(report).not.toMatch(/spawned launchId=launch_a-1-1/);
  expect(report.split('\n').length).toBeLessThan(80);
});

it('a run of 20 tasks is checked in about a millisecond', () => {
  // Ten such histories are about 20 tasks. The limit is generous: it only has to catch what is not linear.
  const history = historyOf(example());
  for (let i = 0; i < 200; i++) check(history);
  const begun = process.cpuUsage();
  for (let i = 0; i < 100; i++) check(history);
  // Of this process alone: whatever else runs on the machine.
  expect(process.cpuUsage(begun).user / 1_000 / 10).toBeLessThan(20);
});

function usage(costMicroUsd: number | null, inputTokens = 5): object {
  return { inputTokens, outputTokens: 7, cacheReadTokens: 0, cacheWriteTokens: 0, costMicroUsd };
}

function refSet(value: string): Step {
  return world('refSet', { attemptId: 'attempt_a-1', ref: 'refs/a-1', commit: value });
}
