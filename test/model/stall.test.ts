// Stories about stalled agents: how long they may be silent, how often they are started again, and what they are told.

import { describe, expect, it } from 'vitest';
import { lastAskAbout } from '../../src/model/asks/find-asks.ts';
import { questionId } from '../../src/model/core/ids.ts';
import { excessOf, usualCaps } from '../../src/model/spending/caps.ts';
import { attempt, down, launch, launched, outcomeOf, type Story, saved, submitted, task, taskId } from './story.ts';

const live = (story: Story) => story.run.live.get(attempt('a'));
const records = (story: Story) => story.run.agents.get('agent_a-1')?.mailbox.records ?? [];
const texts = (story: Story): string[] =>
  records(story).flatMap(({ body }) => (body.kind === 'text' ? [body.text] : []));

/** At work on its prompt, with a session. */
function atWork(more: Parameters<typeof task>[1] = {}): Story {
  const story = submitted(task('a', more));
  launched(story, 'a');
  begin(story, 1);
  return story;
}

function begin(story: Story, l: number): void {
  const read = { type: 'output', launchId: launch('a', 1, l), from: 0, to: 5, codec: '{}', replies: [] } as const;
  const delivered = records(story).flatMap(({ id, body }) =>
    body.kind === 'text' || body.kind === 'prompt' ? [{ kind: 'delivered', recordId: id } as const] : [],
  );
  story.tell({ ...read, facts: [{ kind: 'session', session: 's' }, ...delivered] });
}

function stall(story: Story, l: number, inFlight: readonly string[] = []): void {
  story.tell({ type: 'exceeded', launchId: launch('a', 1, l), reason: 'stall', detail: 'it printed nothing' });
  story.tell({ type: 'down', launchId: launch('a', 1, l), status: 143, turn: null, inFlight });
}

function startAgain(story: Story, l: number): void {
  story.tell({ type: 'launched', launchId: launch('a', 1, l), process: null });
  begin(story, l);
}

describe('the stall window', () => {
  const well = { outBytes: 1, errBytes: 0, memoryBytes: 1, processes: 1 };
  const caps = { ...usualCaps, stallMs: 1_000, toolStallMs: 5_000 };
  const silent = (ms: number, ...calls: string[]) => excessOf(caps, well, { ms, inFlight: () => calls });

  it('is longer while a tool runs, and the tool is named when it is exceeded [STALL-1]', () => {
    expect(silent(999)).toBeNull();
    expect(silent(1_000)?.detail).toBe('it printed nothing for 1 s in the middle of a turn');
    expect(silent(4_999, 'Bash: make')).toBeNull();
    expect(silent(5_000, 'Bash: make')?.detail).toBe('it printed nothing for 5 s while this was under way: Bash: make');
  });

  it('has its default for a task without tool settings [STALL-1]', () => {
    const { toolStallMs: _, ...older } = caps;
    const inFlight = () => ['Bash: make'];
    expect(excessOf(older, well, { ms: usualCaps.toolStallMs - 1, inFlight })).toBeNull();
    expect(excessOf(older, well, { ms: usualCaps.toolStallMs, inFlight })?.reason).toBe('stall');
  });
});

describe('a silent agent', () => {
  it('is stopped by the same ladder as any other [CAP-2]', () => {
    const story = atWork();
    story.tell({ type: 'exceeded', launchId: launch('a'), reason: 'stall', detail: 'silent' });
    expect(
      records(story)
        .map(({ body }) => body.kind)
        .slice(-2),
    ).toEqual(['interrupt', 'end']);
    expect(story.pending().effects.map(({ kind }) => kind)).not.toContain('signal');
    story.now += 5_000;
    expect(story.pending().effects.find((effect) => effect.kind === 'signal')).toMatchObject({ rung: 'term' });
  });

  it('is started again in its session, told that it was silent, and what was open [STALL-2]', () => {
    const story = atWork();
    stall(story, 1, ['Bash: npm publish']);
    expect(live(story)).toMatchObject({ state: 'launching', stop: null, launches: { current: { resume: true } } });
    expect(texts(story)).toEqual([expect.stringMatching(/^You had printed nothing .*Bash: npm publish/s)]);
  });

  it('is started again also if its turn ends on the interrupt [STALL-2]', () => {
    const story = atWork();
    story.tell({ type: 'exceeded', launchId: launch('a'), reason: 'stall', detail: 'silent' });
    const turn = { kind: 'failed', failure: { reason: 'crash', detail: 'interrupted' } } as const;
    const facts = [{ kind: 'turnEnded', turn } as const];
    story.tell({ type: 'output', launchId: launch('a'), from: 5, to: 9, codec: '{}', facts, replies: [] });
    down(story, 'a', 0);
    expect(live(story)).toMatchObject({ state: 'launching', turn: { ended: null }, stop: null });
  });

  it('is started again twice; the third time its attempt fails with stall [STALL-2]', () => {
    const story = atWork();
    stall(story, 1);
    startAgain(story, 2);
    stall(story, 2);
    startAgain(story, 3);
    stall(story, 3);
    saved(story, 'a');
    const detail = 'it printed nothing; it had been started again 2 times';
    expect(outcomeOf(story, 'a')).toMatchObject({ kind: 'failed', failure: { reason: 'stall', detail } });
  });

  it('uses none of the launches for lost processes [STALL-2] [LAU-3, STALL-8]', () => {
    const story = atWork();
    stall(story, 1);
    startAgain(story, 2);
    stall(story, 2);
    startAgain(story, 3);
    for (const l of [3, 4, 5, 6]) {
      down(story, 'a', null, 1, l);
      expect(live(story)?.state, `launch ${l}`).toBe('launching');
      startAgain(story, l + 1);
    }
    down(story, 'a', null, 1, 7);
    expect(live(story)?.state).toBe('saving');
  });

  it('that had not read its prompt gets it again, and nothing else [STALL-2]', () => {
    const story = submitted(task('a'));
    launched(story, 'a');
    stall(story, 1);
    expect(live(story)).toMatchObject({ state: 'launching', launches: { current: { resume: false } } });
    expect(records(story)).toMatchObject([{ id: 'record_a-1-1', state: 'queued', body: { kind: 'prompt' } }]);
  });

  it('is asked about first if its task says so, with the same limit [STALL-2]', () => {
    const story = atWork({ onCrash: 'ask' });
    for (const l of [1, 2]) {
      stall(story, l);
      expect(lastAskAbout(story.run, taskId('a'))).toMatchObject({ kind: 'crash', state: 'open' });
      const decision = { approved: true, choice: null, by: 'ann', message: null, remember: null };
      story.tell({ type: 'answerAsk', askId: questionId(taskId('a'), l), ...decision });
      story.tell({ type: 'goOn', attemptId: attempt('a'), host: 'h' });
      startAgain(story, l + 1);
    }
    stall(story, 3);
    saved(story, 'a');
    expect(outcomeOf(story, 'a')).toMatchObject({ failure: { reason: 'stall' } });
  });

  it('that has begun without a session is not started again: the attempt fails [STALL-6]', () => {
    const story = submitted(task('a'));
    launched(story, 'a');
    const facts = [{ kind: 'delivered', recordId: 'record_a-1-1' } as const];
    story.tell({ type: 'output', launchId: launch('a'), from: 0, to: 5, codec: '{}', facts, replies: [] });
    stall(story, 1);
    saved(story, 'a');
    expect(outcomeOf(story, 'a')).toMatchObject({ failure: { reason: 'stall', detail: 'it printed nothing' } });
  });

  it('is not started again if a person stops it meanwhile [STALL-3]', () => {
    const story = atWork();
    story.tell({ type: 'exceeded', launchId: launch('a'), reason: 'stall', detail: 'silent' });
    story.tell({ type: 'stopTask', taskId: taskId('a'), by: 'ann' });
    expect(live(story)?.stop).toMatchObject({ reason: 'stopped' });
    expect(
      records(story)
        .map(({ body }) => body.kind)
        .slice(-2),
    ).toEqual(['interrupt', 'end']);
    expect(story.ask({ type: 'stopTask', taskId: taskId('a'), by: 'ann' })).toMatchObject({ kind: 'refused' });
    down(story, 'a', 143);
    saved(story, 'a');
    expect(outcomeOf(story, 'a')).toEqual({ kind: 'stopped' });
  });

  it('is not started again in a run that is stopped [STALL-3]', () => {
    const story = atWork();
    story.tell({ type: 'exceeded', launchId: launch('a'), reason: 'stall', detail: 'silent' });
    story.tell({ type: 'stopRun', by: 'ann' });
    down(story, 'a', 143);
    saved(story, 'a');
    expect(outcomeOf(story, 'a')).toEqual({ kind: 'stopped' });
  });

  it('is still under its time limit when it is started again [ATT-6]', () => {
    const story = atWork({ timeoutMs: 60_000 });
    story.now += 61_000;
    stall(story, 1);
    story.tell({ type: 'tick' });
    expect(live(story)?.stop?.reason).toBe('timeout');
  });
});

describe('an agent whose process was lost in the middle of its work', () => {
  const lose = (story: Story, inFlight: readonly string[]) =>
    story.tell({ type: 'down', launchId: launch('a'), status: null, turn: null, inFlight });

  it('is told briefly by name which calls were open [LAU-8]', () => {
    const story = atWork();
    lose(story, [
      'Bash: npm\npublish',
      `Bash: ${'x'.repeat(500)}`,
      ...Array.from({ length: 20 }, (_, n) => `Edit: ${n}`),
    ]);
    const [text = ''] = texts(story);
    expect(text).toContain('These were under way:\n- Bash: npm publish\n- Bash: xxx');
    expect(text).toContain('\n- and 14 more\n They may have taken effect');
    expect(text.length).toBeLessThan(2_000);
  });

  it('is told so also beside waiting records [LAU-8]', () => {
    const story = atWork();
    story.tell({ type: 'send', recordId: 'record_x', taskId: taskId('a'), from: 'ann', text: 'be quick' });
    lose(story, ['Bash: npm publish']);
    expect(texts(story)).toEqual(['be quick', expect.stringContaining('npm publish')]);
  });

  it('is told in general if no open call is known [LAU-3]', () => {
    const story = atWork();
    lose(story, []);
    expect(texts(story)).toEqual([expect.stringContaining('A command that was running may have taken effect')]);
  });
});
