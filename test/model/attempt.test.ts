// Stories about attempts: the way to success, and every way in which it is left.

import { describe, expect, it } from 'vitest';
import type { EffectKind } from '../../src/model/core/events.ts';
import { effectFailuresMax } from '../../src/model/core/timing.ts';
import { excessOf } from '../../src/model/spending/caps.ts';
import {
  attempt,
  down,
  integrated,
  launch,
  launched,
  outcomeOf,
  type Story,
  saved,
  submitted,
  succeed,
  task,
  taskId,
  turned,
} from './story.ts';

const check = { name: 'tests', argv: ['true'], timeoutMs: 1_000 };
const kinds = (story: Story): string[] => story.pending().effects.map((effect) => effect.kind);
const stateOf = (story: Story, name = 'a', n = 1) => story.run.live.get(attempt(name, n));

function failEffect(story: Story, effect: EffectKind): void {
  story.tell({ type: 'effectFailed', attemptId: attempt('a'), effect, code: 'x', message: 'no luck' });
}

describe('the way to success', () => {
  it('needs a good turn, the process down, the work saved, the proof and the integration, in this order [ATT-3]', () => {
    const story = submitted(task('a', { checks: [check] }));
    expect(kinds(story)).toEqual([]);
    launched(story, 'a');
    expect(kinds(story)).toEqual(['watch', 'write']);
    turned(story, 'a');
    expect(outcomeOf(story, 'a')).toBeNull();
    expect(stateOf(story)?.stop?.reason).toBe('finished');
    down(story, 'a', 0);
    expect(kinds(story)).toEqual(['save']);
    saved(story, 'a');
    expect(kinds(story)).toEqual(['prove']);
    expect(outcomeOf(story, 'a')).toBeNull();
    story.tell({ type: 'proved', attemptId: attempt('a'), items: [{ check: 'tests', passed: true, detail: '' }] });
    expect(kinds(story)).toEqual(['integrate']);
    expect(outcomeOf(story, 'a')).toBeNull();
    integrated(story, 'a');
    expect(outcomeOf(story, 'a')).toEqual({ kind: 'succeeded', commit: 'c-a-1' });
    expect(story.run.outcome).toBe('succeeded');
  });

  it('fails with a failed check, or one without a proof [ATT-4]', () => {
    for (const items of [[{ check: 'tests', passed: false, detail: 'exit 1' }], []]) {
      const story = submitted(task('a', { checks: [check] }));
      launched(story, 'a');
      turned(story, 'a');
      down(story, 'a', 0);
      saved(story, 'a');
      story.tell({ type: 'proved', attemptId: attempt('a'), items });
      expect(outcomeOf(story, 'a')).toMatchObject({ kind: 'failed', failure: { reason: 'check-failed' } });
    }
  });

  it('needs a proof for each of two checks with one name [ATT-4]', () => {
    for (const [second, kind] of [
      [[{ check: 'tests', passed: true, detail: '' }], 'succeeded'],
      [[{ check: 'tests', passed: false, detail: '' }], 'failed'],
      [[], 'failed'],
    ] as const) {
      const story = submitted(task('a', { checks: [check, check] }));
      launched(story, 'a');
      turned(story, 'a');
      down(story, 'a', 0);
      saved(story, 'a');
      story.tell({
        type: 'proved',
        attemptId: attempt('a'),
        items: [{ check: 'tests', passed: true, detail: '' }, ...second],
      });
      if (kind === 'succeeded') integrated(story, 'a');
      expect(outcomeOf(story, 'a')).toMatchObject({ kind });
    }
  });

  it('counts by its evidence if the agent had to be killed after its result [ATT-6]', () => {
    const story = submitted(task('a'));
    launched(story, 'a');
    turned(story, 'a');
    down(story, 'a', 137);
    saved(story, 'a');
    integrated(story, 'a');
    expect(outcomeOf(story, 'a')).toMatchObject({ kind: 'succeeded' });
  });

  it('fails as a crash if a process ends without a result, also with status 0 [ATT-5]', () => {
    const story = submitted(task('a'));
    launched(story, 'a');
    down(story, 'a', 0);
    saved(story, 'a');
    expect(outcomeOf(story, 'a')).toMatchObject({ failure: { reason: 'crash' } });
  });

  it('ignores stale facts [RUN-6] [LAU-5]', () => {
    const story = submitted(task('a'));
    launched(story, 'a');
    turned(story, 'a');
    const stale = (command: Parameters<typeof story.ask>[0]) =>
      expect(story.ask(command)).toMatchObject({ kind: 'refused', refusal: { kind: 'stale' } });
    stale({ type: 'prepared', attemptId: attempt('a'), path: '/x', base: 'b' });
    stale({ type: 'launched', launchId: launch('a'), process: null });
    stale({ type: 'output', launchId: launch('a'), from: 0, to: 9, codec: '', replies: [], facts: [] });
    stale({ type: 'saved', attemptId: attempt('a'), ref: 'r', commit: 'c' });
    stale({ type: 'proved', attemptId: attempt('a'), items: [] });
    down(story, 'a', 0);
    stale({ type: 'down', launchId: launch('a'), status: 0, turn: null });
    stale({ type: 'signalled', launchId: launch('a'), rung: 'kill' });
    stale({ type: 'effectFailed', attemptId: attempt('a'), effect: 'watch', code: 'x', message: '' });
  });
});

describe('stopping', () => {
  it('counts the first reason [ATT-2]', () => {
    const story = submitted(task('a', { timeoutMs: 10_000 }));
    launched(story, 'a');
    story.now += 10_000;
    story.tell({ type: 'tick' });
    expect(stateOf(story)?.stop?.reason).toBe('timeout');
    expect(story.ask({ type: 'stopTask', taskId: taskId('a'), by: 'x' })).toMatchObject({ kind: 'refused' });
    turned(story, 'a');
    down(story, 'a', 143);
    saved(story, 'a');
    expect(outcomeOf(story, 'a')).toMatchObject({ failure: { reason: 'timeout' } });
  });

  it('breaks off a setup, the checks of finished work and its integration, and nothing else that was finished [ATT-11]', () => {
    const stop = { type: 'stopTask', taskId: taskId('a'), by: 'ann' } as const;
    const settingUp = submitted(task('a'));
    settingUp.tell({ type: 'start', taskId: taskId('a'), host: 'h' });
    settingUp.tell(stop);
    failEffect(settingUp, 'prepare');
    expect(outcomeOf(settingUp, 'a')).toEqual({ kind: 'stopped' });

    for (const early of [true, false]) {
      const story = submitted(task('a', { checks: [check] }));
      launched(story, 'a');
      turned(story, 'a');
      down(story, 'a', 0);
      if (early) story.tell(stop);
      saved(story, 'a');
      if (!early) story.tell(stop);
      expect(story.ask(stop)).toMatchObject({ kind: 'refused' });
      expect(kinds(story)).toEqual(['prove']);
      failEffect(story, 'prove');
      expect(outcomeOf(story, 'a')).toEqual({ kind: 'stopped' });
    }

    const unchecked = submitted(task('a', { keeps: false }));
    launched(unchecked, 'a');
    turned(unchecked, 'a');
    down(unchecked, 'a', 0);
    expect(unchecked.ask(stop)).toMatchObject({ kind: 'refused' });
  });

  it('counts while the process of a finished agent is ending [ATT-16]', () => {
    const story = submitted(task('a', { keeps: false }));
    launched(story, 'a');
    turned(story, 'a');
    story.tell({ type: 'stopTask', taskId: taskId('a'), by: 'ann' });
    down(story, 'a', 0);
    saved(story, 'a');
    expect(outcomeOf(story, 'a')).toEqual({ kind: 'stopped' });
  });

  it('happens at the time limit, and not when the clock goes back [ATT-8]', () => {
    const story = submitted(task('a', { timeoutMs: 10_000 }));
    launched(story, 'a');
    expect(story.pending().wakeAt).toBe(11_000);
    story.now = -1e9;
    expect(story.tell({ type: 'tick' })).toEqual([]);
    story.now = 11_000;
    expect(story.tell({ type: 'tick' })[0]).toMatchObject({ type: 'stop.asked', reason: 'timeout' });
  });

  it('asks, then sends TERM, then KILL repeatedly, and goes on where it was after a restart [LAU-4]', () => {
    const story = submitted(task('a'));
    launched(story, 'a');
    story.tell({ type: 'stopRun', by: 'x' });
    const rung = () => story.pending().effects.find((effect) => effect.kind === 'signal');
    expect(stateOf(story) && story.run.agents.get('agent_a-1')?.mailbox.records.map((each) => each.body.kind)).toEqual([
      'prompt',
      'interrupt',
      'end',
    ]);
    expect(rung()).toBeUndefined();
    story.now += 5_000;
    expect(rung()).toMatchObject({ rung: 'term' });
    expect(rung()).toMatchObject({ rung: 'term' });
    story.tell({ type: 'signalled', launchId: launch('a'), rung: 'term' });
    expect(rung()).toBeUndefined();
    story.now += 5_000;
    expect(rung()).toMatchObject({ rung: 'kill' });
    story.tell({ type: 'signalled', launchId: launch('a'), rung: 'kill' });
    expect(rung()).toBeUndefined();
    story.now += 5_000;
    expect(rung()).toMatchObject({ rung: 'kill' });
  });

  it('before the workspace is ready starts no process [RUN-4]', () => {
    const story = submitted(task('a'));
    story.tell({ type: 'start', taskId: taskId('a'), host: 'h' });
    story.tell({ type: 'stopRun', by: 'x' });
    story.tell({ type: 'prepared', attemptId: attempt('a'), path: '/w', base: 'b' });
    expect(kinds(story)).toEqual(['save']);
    saved(story, 'a');
    expect(story.run.outcome).toBe('stopped');
    expect(story.events.some((event) => event.type === 'launch.intended')).toBe(false);
  });
});

describe('a lost process', () => {
  it('is started again with its session and a note, until the limit [LAU-3]', () => {
    const story = submitted(task('a'));
    launched(story, 'a');
    const output = (l: number, facts: Parameters<typeof story.tell>[0]) => story.tell(facts) && l;
    output(1, {
      type: 'output',
      launchId: launch('a'),
      from: 0,
      to: 5,
      codec: '{}',
      replies: [],
      facts: [
        { kind: 'session', session: 's' },
        { kind: 'delivered', recordId: 'record_a-1-1' },
      ],
    });
    story.tell({ type: 'written', launchId: launch('a'), recordId: 'record_a-1-1', end: 10 });
    for (let l = 1; l < 5; l++) {
      down(story, 'a', null, 1, l);
      expect(stateOf(story)?.launches.current).toMatchObject({
        id: launch('a', 1, l + 1),
        resume: true,
        offset: 0,
        written: 0,
      });
      expect(story.run.agents.get('agent_a-1')?.mailbox.records.at(-1)?.body).toMatchObject({ kind: 'text' });
      story.tell({ type: 'launched', launchId: launch('a', 1, l + 1), process: null });
    }
    down(story, 'a', null, 1, 5);
    saved(story, 'a');
    expect(outcomeOf(story, 'a')).toMatchObject({ failure: { reason: 'lost' } });
  });

  it('without a session starts again with its prompt [LAU-3] [REC-3]', () => {
    const story = submitted(task('a'));
    launched(story, 'a');
    down(story, 'a', null);
    expect(stateOf(story)?.launches.current?.resume).toBe(false);
    expect(story.run.agents.get('agent_a-1')?.mailbox.records).toMatchObject([
      { body: { kind: 'prompt' }, state: 'queued' },
    ]);
  });
});

describe('input records', () => {
  it('may be acknowledged before they are noted as written; the place of the next one is kept [REC-2]', () => {
    const story = submitted(task('a'));
    launched(story, 'a');
    const delivered = { kind: 'delivered', recordId: 'record_a-1-1' } as const;
    story.tell({ type: 'output', launchId: launch('a'), from: 0, to: 5, codec: '{}', replies: [], facts: [delivered] });
    expect(kinds(story)).toContain('write');
    story.tell({ type: 'written', launchId: launch('a'), recordId: 'record_a-1-1', end: 42 });
    expect(kinds(story)).not.toContain('write');
    expect(stateOf(story)?.launches.current?.written).toBe(42);
    expect(story.run.agents.get('agent_a-1')?.mailbox.records).toEqual([]);
  });

  it('that steered the old process do not reach the next one [REC-3]', () => {
    const story = submitted(task('a'));
    launched(story, 'a');
    turned(story, 'a');
    story.tell({ type: 'send', recordId: 'record_late', taskId: taskId('a'), from: 'ada', text: 'one more' });
    down(story, 'a', 0);
    expect(story.run.agents.get('agent_a-1')?.mailbox.records.map((each) => each.id)).toEqual(['record_late']);
  });

  it('that are read at the end of a turn are worked on, also if the agent was asked to end [REC-4]', () => {
    for (const together of [true, false]) {
      const story = submitted(task('a'));
      launched(story, 'a');
      if (!together) turned(story, 'a');
      story.tell({ type: 'send', recordId: 'record_late', taskId: taskId('a'), from: 'ada', text: 'one more' });
      const { offset = 0 } = story.run.live.get(attempt('a'))?.launches.current ?? {};
      const turn = { kind: 'turnEnded', turn: { kind: 'ok', text: 'done', cut: false } } as const;
      const facts = [
        { kind: 'session', session: 's-a' } as const,
        ...(together ? [{ kind: 'delivered', recordId: 'record_a-1-1' } as const, turn] : []),
        { kind: 'delivered', recordId: 'record_late' } as const,
      ];
      const at = { from: offset, to: offset + 100, codec: '{}', replies: [] };
      story.tell({ type: 'output', launchId: launch('a'), ...at, facts });
      expect(story.run.live.get(attempt('a'))?.stop?.reason).toBe(together ? undefined : 'finished');
      down(story, 'a', together ? null : 0);
      expect(story.events.at(-1)).toMatchObject({ type: 'record.queued', body: { kind: 'text' } });
      expect(story.events.filter(({ type }) => type === 'launch.intended')).toHaveLength(2);
    }
  });

  it('that came too late for a process start another launch of the session [REC-4]', () => {
    const story = submitted(task('a'));
    launched(story, 'a');
    turned(story, 'a');
    story.tell({ type: 'send', recordId: 'record_late', taskId: taskId('a'), from: 'ada', text: 'one more' });
    down(story, 'a', 0);
    expect(stateOf(story)).toMatchObject({ state: 'launching', stop: null, launches: { current: { resume: true } } });
  });
});

describe('a run that is being stopped', () => {
  it('starts no further launch, also with waiting records [RUN-4]', () => {
    const story = submitted(task('a'));
    launched(story, 'a');
    turned(story, 'a');
    story.tell({ type: 'send', recordId: 'record_late', taskId: taskId('a'), from: 'ada', text: 'one more' });
    story.tell({ type: 'stopRun', by: 'ada' });
    down(story, 'a', 0);
    expect(stateOf(story)?.state).toBe('saving');
  });
});

describe('caps', () => {
  it('kill at once when exceeded, and the first reason wins [CAP-1]', () => {
    const story = submitted(task('a'));
    launched(story, 'a');
    story.tell({ type: 'exceeded', launchId: launch('a'), reason: 'out-of-memory', detail: 'too much' });
    expect(story.pending().effects.find((effect) => effect.kind === 'signal')).toMatchObject({ rung: 'kill' });
    expect(story.ask({ type: 'exceeded', launchId: launch('a'), reason: 'stall', detail: '' })).toMatchObject({
      refusal: { kind: 'stale' },
    });
    down(story, 'a', 137);
    saved(story, 'a');
    expect(outcomeOf(story, 'a')).toMatchObject({ failure: { reason: 'out-of-memory', detail: 'too much' } });
  });

  it('name the first one that is exceeded [CAP-1] [CAP-2]', () => {
    const caps = { outputBytes: 100, memoryBytes: 100, processesMax: 2, stallMs: 1_000 };
    const well = { outBytes: 60, errBytes: 40, memoryBytes: 100, processes: 2 };
    const silent = (ms: number) => ({ ms, inFlight: () => [] });
    expect(excessOf(caps, well, silent(999))).toBeNull();
    expect(excessOf(caps, { ...well, errBytes: 41 }, null)?.reason).toBe('output-limit');
    expect(excessOf(caps, { ...well, memoryBytes: 101 }, null)?.reason).toBe('out-of-memory');
    expect(excessOf(caps, { ...well, processes: 3 }, null)?.reason).toBe('spawn-refused');
    expect(excessOf(caps, well, silent(1_000))?.reason).toBe('stall');
  });
});

describe('effects that fail', () => {
  it('are repeated after a growing pause and end the attempt at their limit [ATT-9]', () => {
    const story = submitted(task('a'));
    story.tell({ type: 'start', taskId: taskId('a'), host: 'h' });
    failEffect(story, 'prepare');
    expect(kinds(story)).toEqual([]);
    expect(story.pending().wakeAt).toBe(story.now + 200);
    story.now += 200;
    expect(kinds(story)).toEqual(['prepare']);
    failEffect(story, 'prepare');
    expect(story.pending().wakeAt).toBe(story.now + 400);
    failEffect(story, 'prepare');
    expect(outcomeOf(story, 'a')).toMatchObject({ failure: { reason: 'setup-failed', detail: 'prepare: no luck' } });
  });

  it('a setup that failed is not repeated within its attempt [ATT-12]', () => {
    const story = submitted(task('a'));
    story.tell({ type: 'start', taskId: taskId('a'), host: 'h' });
    const attemptId = attempt('a');
    story.tell({ type: 'effectFailed', attemptId, effect: 'prepare', code: 'setup_failed', message: 'exit 3' });
    expect(outcomeOf(story, 'a')).toMatchObject({ failure: { reason: 'setup-failed', detail: 'prepare: exit 3' } });
  });

  it('leave an unconfirmed launch watched and stopped, for it may exist [ATT-9] [LAU-2]', () => {
    const story = submitted(task('a'));
    story.tell({ type: 'start', taskId: taskId('a'), host: 'h' });
    story.tell({ type: 'prepared', attemptId: attempt('a'), path: '/w', base: 'b' });
    for (let i = 0; i < effectFailuresMax.launch; i++) failEffect(story, 'launch');
    expect(stateOf(story)).toMatchObject({ state: 'running', stop: { reason: 'spawn-refused' } });
    expect(kinds(story)).toContain('watch');
    down(story, 'a', null);
    saved(story, 'a');
    expect(outcomeOf(story, 'a')).toMatchObject({ failure: { reason: 'spawn-refused' } });
  });

  it('keep the workspace if saving fails for good, and say so [ATT-7]', () => {
    const story = submitted(task('a'));
    launched(story, 'a');
    turned(story, 'a');
    down(story, 'a', 0);
    for (let i = 0; i < effectFailuresMax.save; i++) failEffect(story, 'save');
    expect(outcomeOf(story, 'a')).toMatchObject({ failure: { reason: 'disk' } });
    expect(story.run.tasks.get(taskId('a'))?.attempt?.workspace).toMatchObject({ state: 'held', path: '/w' });
  });

  it('never give up watching and signalling [ATT-10]', () => {
    const story = submitted(task('a'));
    launched(story, 'a');
    story.tell({ type: 'stopRun', by: 'x' });
    for (let i = 0; i < 100; i++) for (const effect of ['watch', 'signal'] as const) failEffect(story, effect);
    expect(stateOf(story)).toMatchObject({ state: 'running', failing: { watch: { times: 100 } } });
    story.now += 30_000;
    expect(kinds(story)).toContain('watch');
  });
});

describe('usage', () => {
  it('adds up exactly and an unknown cost stays unknown [USE-1]', () => {
    const story = submitted(task('a'), task('b'));
    const usage = { inputTokens: 1, outputTokens: 2, cacheReadTokens: 3, cacheWriteTokens: 4, turns: 1 };
    for (const name of ['a', 'b']) {
      launched(story, name);
      story.tell({
        type: 'output',
        launchId: launch(name),
        from: 0,
        to: 1,
        codec: '{}',
        replies: [],
        facts: [
          { kind: 'usage', model: 'm', usage: { ...usage, costMicroUsd: 7 } },
          { kind: 'usage', model: 'm', usage: { ...usage, costMicroUsd: null } },
        ],
      });
    }
    expect(story.run.spending.usage).toEqual({
      inputTokens: 4,
      outputTokens: 8,
      cacheReadTokens: 12,
      cacheWriteTokens: 16,
      costMicroUsd: 14,
      unknownCosts: 2,
      estimatedMicroUsd: 0,
      turns: 4,
      timeMs: 0,
    });
    expect(story.run.tasks.get(taskId('a'))?.spending.usage.unknownCosts).toBe(1);
  });

  it('a whole run leaves no live attempt behind [ATT-3]', () => {
    const story = submitted(task('a'));
    succeed(story, 'a');
    expect(story.run.live.size + story.run.liveByLaunch.size).toBe(0);
    expect(story.pending()).toEqual({ effects: [], wakeAt: null });
  });
});
