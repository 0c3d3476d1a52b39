// Stories about services that refuse: what one agent learns of its account, all agents of it know.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TaskSpec } from '../../src/model/core/spec.ts';
import { emptyHost, evolveHost, type Host } from '../../src/model/host/host.ts';
import { factsBefore } from '../../src/model/host/host-facts.ts';
import { hostEventsOf } from '../../src/model/host/host-share.ts';
import type { AgentFact, Limited } from '../../src/model/session/agent-fact.ts';
import { readHost, writeHost } from '../../src/model/snapshot.ts';
import { admits, isOver, type Line, limitLine, serveLine } from '../../src/model/spending/account-line.ts';
import { waitReason } from '../wait-reason.ts';
import { pickNext } from './pick-next.ts';
import { attempt, launch, type Story, submitted, task, taskId } from './story.ts';

/** A run on a host that gets its events, as in the engine. */
interface Scene {
  readonly story: Story;
  host: Host;
}

function scene(...tasks: TaskSpec[]): Scene {
  return { story: submitted(...tasks), host: { ...emptyHost(), slots: 100 } };
}

function tell(scene: Scene, command: Parameters<Story['tell']>[0]): void {
  const { story, host } = scene;
  const runs = new Map([['run_1', story.run]] as const);
  const moment = { host, runs, now: story.now, day: '2026-11-16', ranMs: 0 };
  for (const fact of factsBefore(moment, story.run, command, story.now)) story.tell(fact);
  for (const event of hostEventsOf('run_1', story.tell(command), moment)) evolveHost(host, { at: story.now, ...event });
}

/** Starts all that may start, and returns which. */
function dispatch(scene: Scene): string[] {
  const started: string[] = [];
  for (;;) {
    const pick = pickNext(scene.host, [scene.story.run], scene.story.now, 'h');
    if (pick === null) return started;
    tell(scene, pick.command);
    const { command } = pick;
    started.push('taskId' in command ? command.taskId : `${command.attemptId} again`);
  }
}

function bringUp(scene: Scene, name: string): void {
  tell(scene, { type: 'prepared', attemptId: attempt(name), path: '/w', base: 'b0' });
  launchedAgain(scene, name);
}

function launchedAgain(scene: Scene, name: string): void {
  const {
    launches: { count: launches },
  } = live(scene, name);
  tell(scene, { type: 'launched', launchId: launch(name, 1, launches), process: null });
}

const live = ({ story }: Scene, name: string) => {
  const found = story.run.live.get(attempt(name));
  if (found === undefined) throw new Error(`${name} is not at work`);
  return found;
};

/** Its turn fails because the service refuses, and its process is gone. */
function refused(scene: Scene, name: string, limited: Limited = { limit: 'rate', untilMs: null }): void {
  says(scene, name, [{ kind: 'session', session: name }, { kind: 'limited', ...limited }, failed(limited)]);
  gone(scene, name);
}

/** The same, as an agent does that tries once more before it gives up. */
function refusedAgain(scene: Scene, name: string): void {
  const limited = { limit: 'rate', untilMs: null } as const;
  says(scene, name, [
    { kind: 'session', session: name },
    { kind: 'limited', ...limited },
  ]);
  says(scene, name, [failed(limited)]);
  gone(scene, name);
}

function failed({ limit }: Limited): AgentFact {
  const reason = { rate: 'rate-limit', quota: 'quota', unavailable: 'unavailable' } as const;
  return { kind: 'turnEnded', turn: { kind: 'failed', failure: { reason: reason[limit], detail: 'no' } } };
}

function says(scene: Scene, name: string, facts: readonly AgentFact[]): void {
  const {
    launches: { count: launches, current: process },
  } = live(scene, name);
  const from = process?.offset ?? 0;
  const launchId = launch(name, 1, launches);
  tell(scene, { type: 'output', launchId, from, to: from + 1, codec: '{}', replies: [], facts });
}

function gone(scene: Scene, name: string): void {
  const {
    launches: { count: launches },
  } = live(scene, name);
  tell(scene, { type: 'down', launchId: launch(name, 1, launches), status: 1, turn: null });
}

function answered(scene: Scene, name: string): void {
  const {
    launches: { count: launches, current: process },
  } = live(scene, name);
  const from = process?.offset ?? 0;
  const facts = [{ kind: 'answered' }] as const;
  tell(scene, {
    type: 'output',
    launchId: launch(name, 1, launches),
    from,
    to: from + 1,
    codec: '{}',
    replies: [],
    facts,
  });
}

const names = (count: number) => Array.from({ length: count }, (_, i) => `t${i}`);
const over = (scene: Scene) => {
  scene.story.now = Math.max(...Object.values(scene.host.lines).map(({ until }) => until));
};

describe('a service that refuses one agent', () => {
  it('is left alone by its whole account, then tried by one agent, then used by all again [QUOTA-1] [QUOTA-2]', () => {
    const world = scene(...names(6).map((name) => task(name)));
    world.host.slots = 4;
    dispatch(world);
    for (const name of names(4)) bringUp(world, name);
    refused(world, 't0');
    refused(world, 't1');
    expect(dispatch(world)).toEqual([]);
    over(world);
    expect(dispatch(world)).toEqual([`${attempt('t0')} again`]);
    launchedAgain(world, 't0');
    answered(world, 't0');
    expect(dispatch(world)).toEqual([`${attempt('t1')} again`]);
  });

  it('gets no request of agents that were being set up or lost, until it is tried [QUOTA-1] [QUOTA-2]', () => {
    const world = scene(...names(4).map((name) => task(name)));
    dispatch(world);
    for (const name of names(3)) bringUp(world, name);
    refused(world, 't0');
    says(world, 't2', [{ kind: 'limited', limit: 'rate', untilMs: null }]);
    tell(world, { type: 'prepared', attemptId: attempt('t3'), path: '/w', base: 'b0' });
    tell(world, { type: 'down', launchId: launch('t1'), status: null, turn: null });
    over(world);
    expect(dispatch(world)).toEqual([`${attempt('t0')} again`]);
    tell(world, { type: 'down', launchId: launch('t2'), status: null, turn: null });
    launchedAgain(world, 't0');
    // The one that tries is resumed.
    tell(world, { type: 'down', launchId: launch('t0', 1, 2), status: null, turn: null });
    expect(names(4).map((name) => live(world, name).parking.parked?.why.kind)).toEqual([
      undefined,
      'quota',
      'quota',
      'quota',
    ]);
    launchedAgain(world, 't0');
    answered(world, 't0');
    expect(dispatch(world)).toEqual([`${attempt('t3')} again`]);
  });

  it('parks the agent with its session; that costs no attempt and is no failure [QUOTA-3]', () => {
    const world = scene(task('a'));
    dispatch(world);
    bringUp(world, 'a');
    refused(world, 'a', { limit: 'unavailable', untilMs: null });
    expect(live(world, 'a').parking.parked?.why.kind).toBe('quota');
    expect(world.host.held.size).toBe(0);
    over(world);
    dispatch(world);
    expect(world.story.events.filter(({ type }) => type === 'launch.intended').at(-1)).toMatchObject({ resume: true });
    expect(world.story.run.tasks.get(taskId('a'))?.tries.attempts).toBe(1);
  });

  it('without giving a reason counts as limited [QUOTA-1]', () => {
    const world = scene(task('a'), task('b'), task('c'));
    world.host.slots = 2;
    dispatch(world);
    const turn = { kind: 'failed', failure: { reason: 'rate-limit', detail: '429' } } as const;
    for (const name of ['a', 'b']) bringUp(world, name);
    for (const name of ['a', 'b']) tell(world, { type: 'down', launchId: launch(name), status: 1, turn });
    expect(Object.keys(world.host.lines)).toEqual(['scripted']);
    expect(dispatch(world)).toEqual([]);
  });

  it('with a time to come back is waited for without a process, and then tried by one agent [QUOTA-2] [QUOTA-9]', () => {
    const world = scene(...names(3).map((name) => task(name)));
    dispatch(world);
    for (const name of names(3)) bringUp(world, name);
    const later = { kind: 'limited', limit: 'rate', untilMs: 60_000 } as const;
    for (const name of names(2)) {
      says(world, name, [{ kind: 'session', session: name }, later]);
      expect(live(world, name).stop?.reason).toBe('parked');
      gone(world, name);
    }
    // A moment is not worth another process; what was answered meanwhile is over.
    says(world, 't2', [{ ...later, untilMs: world.story.now + 2_000 }]);
    says(world, 't2', [later, { kind: 'answered' }]);
    expect(names(3).map((name) => live(world, name).parking.parked?.why.kind)).toEqual(['quota', 'quota', undefined]);
    expect(live(world, 't2').stop).toBeNull();
    expect(dispatch(world)).toEqual([]);
    world.story.now = 60_000;
    expect(dispatch(world)).toEqual([`${attempt('t0')} again`]);
  });

  it.each([
    { how: 'at once', refuse: refused },
    { how: 'after a retry of its own', refuse: refusedAgain },
  ])('for ever is given up, with the reason, by an agent that reports it $how [QUOTA-4]', ({ refuse }) => {
    const world = scene(task('a'));
    dispatch(world);
    bringUp(world, 'a');
    for (let i = 0; i < 20; i++) {
      refuse(world, 'a');
      over(world);
      dispatch(world);
      launchedAgain(world, 'a');
    }
    refuse(world, 'a');
    expect(live(world, 'a').result.verdict).toMatchObject({ failure: { reason: 'rate-limit' } });
  });
});

describe('a limit that one agent claims', () => {
  const year2100 = Date.UTC(2100, 0);
  const lie = { limit: 'quota', untilMs: year2100 } as const;

  it('stops that agent alone: others start and go on [CLAIM-1]', () => {
    const world = scene(...names(5).map((name) => task(name)));
    world.host.slots = 3;
    dispatch(world);
    for (const name of names(3)) bringUp(world, name);
    refused(world, 't0', lie);
    expect(dispatch(world)).toEqual([taskId('t3')]);
    tell(world, { type: 'down', launchId: launch('t1'), status: null, turn: null });
    expect(live(world, 't1').parking.parked).toBeNull();
    expect(dispatch(world)).toEqual([]);
    expect(live(world, 't0').parking.parked?.why.kind).toBe('quota');
  });

  it('does not fail tasks of others that are not to wait [CLAIM-1] [QUOTA-6]', () => {
    const world = scene(task('a'), task('b', { onQuota: 'stop' }));
    world.host.slots = 1;
    dispatch(world);
    bringUp(world, 'a');
    refused(world, 'a', lie);
    expect(dispatch(world)).toEqual([taskId('b')]);
    expect(live(world, 'b').result.verdict).toBeNull();
  });

  it('is dropped when anybody is answered [CLAIM-2]', () => {
    const world = scene(task('a'), task('b'));
    world.host.slots = 1;
    dispatch(world);
    bringUp(world, 'a');
    refused(world, 'a', lie);
    dispatch(world);
    bringUp(world, 'b');
    answered(world, 'b');
    expect(world.host.lines).toEqual({});
  });

  it('is dropped when that agent itself is answered [CLAIM-2]', () => {
    const world = scene(task('a'));
    dispatch(world);
    bringUp(world, 'a');
    says(world, 'a', [
      { kind: 'session', session: 'a' },
      { kind: 'limited', ...lie },
    ]);
    answered(world, 'a');
    expect(world.host.lines).toEqual({});
  });

  it('cannot make a limit that others confirm longer than they say [CLAIM-1]', () => {
    const world = scene(...names(3).map((name) => task(name)));
    dispatch(world);
    for (const name of names(3)) bringUp(world, name);
    refused(world, 't0', lie);
    refused(world, 't1', { limit: 'quota', untilMs: 600_000 });
    expect(world.host.lines['scripted']?.until).toBe(600_000);
    says(world, 't2', [{ kind: 'limited', limit: 'rate', untilMs: 700_000 }]);
    expect(world.host.lines['scripted']?.until).toBe(700_000);
  });

  it('is tried again by that agent itself after an hour, then after twice as long [CLAIM-1]', () => {
    const world = scene(task('a'));
    dispatch(world);
    bringUp(world, 'a');
    refused(world, 'a', lie);
    const waited = (): number => (world.host.lines['scripted']?.until ?? 0) - world.story.now;
    expect(waited()).toBe(3_600_000);
    over(world);
    dispatch(world);
    launchedAgain(world, 'a');
    refused(world, 'a', lie);
    expect(waited()).toBe(7_200_000);
  });

  it('is one voice with the children of that agent [CLAIM-1]', () => {
    const claims = (by: readonly string[]) =>
      by.reduce<Line | undefined>((line, name) => limitLine(line, lie, 5, 0, 'x', taskId(name)), undefined);
    const [alone, two] = [claims(['a', 'a', 'a']), claims(['a', 'b'])];
    expect(admits(alone, 5, 1)).toEqual({ admitted: true, probe: true });
    expect(admits(alone, 5, 1, taskId('a'))).toEqual({ admitted: false });
    expect(admits(two, 5, 1)).toEqual({ admitted: false });
  });

  it('never closes a line for others, whatever it claims and whenever [CLAIM-1]', () => {
    const claim = fc.record({ untilMs: fc.option(fc.integer({ min: -1e6, max: 1e15 })), passed: fc.nat(1e7) });
    fc.assert(
      fc.property(fc.array(claim, { maxLength: 40 }), (all) => {
        let line: Line | undefined;
        let now = 0;
        for (const { untilMs, passed } of all) {
          now += passed;
          line = limitLine(line, { limit: 'quota', untilMs }, 5, now, 'x', taskId('liar'));
          expect(admits(line, 5, now)).toMatchObject({ admitted: true });
          expect(line.until).toBeLessThanOrEqual(now + 8 * 24 * 3_600_000);
        }
      }),
    );
  });
});

describe('an exhausted account', () => {
  const until = 3_600_000;

  it('is waited for until the time it reported, and then used as before [QUOTA-5]', () => {
    const world = scene(...names(3).map((name) => task(name)));
    dispatch(world);
    for (const name of names(3)) bringUp(world, name);
    for (const name of names(3)) refused(world, name, { limit: 'quota', untilMs: until });
    world.story.now = until - 1;
    expect(dispatch(world)).toEqual([]);
    world.host = readHost(writeHost(world.host));
    world.host.slots = 100;
    const it = world.story.run.tasks.get(taskId('t0'));
    expect(it && waitReason(world.story.run, it, world.host, world.story.now)).toMatch(/^quota until \d\d:\d\d:\d\d$/);
    world.story.now = until;
    expect(dispatch(world)).toHaveLength(1);
    launchedAgain(world, 't0');
    answered(world, 't0');
    expect(dispatch(world)).toHaveLength(2);
  });

  it('is not waited for by a task that says so: it fails with the reason [QUOTA-6]', () => {
    const world = scene(task('a'), task('b', { onQuota: 'stop' }), task('c', { onQuota: 'stop' }));
    world.host.slots = 2;
    dispatch(world);
    bringUp(world, 'a');
    bringUp(world, 'b');
    refused(world, 'a', { limit: 'quota', untilMs: until });
    refused(world, 'b', { limit: 'quota', untilMs: until });
    expect(live(world, 'b').result.verdict).toMatchObject({ failure: { reason: 'quota' } });
    expect(dispatch(world)).toEqual([taskId('c')]);
    expect(world.story.run.tasks.get(taskId('c'))?.outcome).toMatchObject({ failure: { reason: 'quota' } });
  });

  it('is bypassed with a fallback model that has a queue of its own [QUOTA-7]', () => {
    const spare = { onQuota: 'fallback', fallback: ['small', 'tiny'] } as const;
    const world = scene(task('a'), task('b', spare), task('c', spare));
    dispatch(world);
    for (const name of ['a', 'b', 'c']) bringUp(world, name);
    for (const name of ['a', 'b', 'c']) refused(world, name, { limit: 'quota', untilMs: until });
    expect(dispatch(world)).toEqual([`${attempt('b')} again`, `${attempt('c')} again`]);
    expect(live(world, 'b').parking.model).toBe('small');
    launchedAgain(world, 'b');
    refused(world, 'b', { limit: 'quota', untilMs: until });
    dispatch(world);
    expect(live(world, 'b').parking.model).toBe('tiny');
  });
});

describe('the queue of an account', () => {
  const limit = fc.record({
    limit: fc.constantFrom('rate', 'quota', 'unavailable'),
    untilMs: fc.option(fc.nat(10_000_000)),
  }) as fc.Arbitrary<Limited>;
  const step = fc.oneof(
    fc.record({
      what: fc.constant('limited' as const),
      limited: limit,
      passed: fc.integer({ min: -5_000, max: 700_000 }),
    }),
    fc.record({ what: fc.constantFrom('start', 'served', 'gone'), passed: fc.integer({ min: -5_000, max: 700_000 }) }),
  );

  it('lets at most one agent try in each window, whatever the clock does [QUOTA-2] [QUOTA-8]', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let line: Line | undefined;
        let now = 1_000_000;
        for (const each of steps) {
          now += each.passed;
          if ('limited' in each)
            for (const by of [taskId('a'), taskId('b')]) line = limitLine(line, each.limited, 5, now, 'x', by);
          else if (each.what === 'served' && line !== undefined && isOver(line, now))
            line = serveLine(line, 1) ?? undefined;
          else if (each.what === 'gone' && line !== undefined) line = { ...line, probe: null };
          else {
            const way = admits(line, 0, now);
            if (way.admitted && way.probe && line?.cap === null) {
              line = { ...line, probe: 'attempt_p-1' };
              expect(admits(line, 1, now)).toEqual({ admitted: false });
            }
          }
          if (line === undefined) continue;
          expect(line.until).toBeGreaterThanOrEqual(line.since);
          expect(line.cap === null || line.cap < line.goal).toBe(true);
        }
      }),
    );
  });

  it('pauses longer with every refused try, not with every refusal [QUOTA-8]', () => {
    const refuse = (line: Line | undefined, now: number) =>
      limitLine(line, { limit: 'rate', untilMs: null }, 8, now, 'x', taskId('a'));
    const first = refuse(undefined, 0);
    expect([1, 2, 3].reduce((line, at) => refuse(line, at), first)).toMatchObject({ since: 0, strikes: 1 });
    const second = refuse(first, first.until);
    expect(second.strikes).toBe(2);
    expect(second.until - second.since).toBeGreaterThan(first.until - first.since);
  });

  it('stays open when the clock goes back after an answer, and a refusal then is a new one [QUOTA-2] [QUOTA-8]', () => {
    const both = [taskId('a'), taskId('b')];
    const until = { limit: 'rate', untilMs: 60_000 } as const;
    const refused = both.reduce<Line | undefined>((line, by) => limitLine(line, until, 8, 1_000, 'x', by), undefined);
    if (refused === undefined) throw new Error('it was refused');
    const served = serveLine({ ...refused, probe: 'attempt_p-1' }, 1);
    if (served === null) throw new Error('it serves two at first');
    expect(admits(served, 1, 30_000)).toEqual({ admitted: true, probe: true });
    const again = limitLine(served, { limit: 'rate', untilMs: 90_000 }, 2, 30_000, 'x', taskId('a'));
    expect(again).toMatchObject({ since: 30_000, until: 90_000, strikes: 1, probe: null, cap: null });
  });
});
