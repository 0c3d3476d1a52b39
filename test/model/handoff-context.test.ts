// Stories about conversations that fill up, and about those that are handed over to new ones.

import { describe, expect, it } from 'vitest';
import type { TaskSpec } from '../../src/model/core/spec.ts';
import { evolve } from '../../src/model/evolve.ts';
import type { AgentFact } from '../../src/model/session/agent-fact.ts';
import type { ContextSpec } from '../../src/model/session/context-spec.ts';
import { type Handoff, renewalsMax } from '../../src/model/session/handoff.ts';
import { readRun, writeRun } from '../../src/model/snapshot.ts';
import { promptText } from '../../src/model/tasks/prompt.ts';
import { attempt, down, launch, launched, outcomeOf, type Story, saved, submitted, task, taskId } from './story.ts';

const ok: AgentFact = { kind: 'turnEnded', turn: { kind: 'ok', text: 'so far', cut: false } };
const fill = (tokens: number, window: number | null = 100): AgentFact => ({
  kind: 'filled',
  tokens,
  window,
  compacts: true,
});

function withContext(how: ContextSpec['how'], more: Partial<TaskSpec> = {}): Story {
  const story = submitted(task('a', { context: { how, percent: 80 }, ...more }));
  launched(story, 'a');
  return begun(story);
}

/** Its session is known and its prompt read. */
function begun(story: Story, l = 1): Story {
  listens(story, l);
  return heard(story, l, { kind: 'session', session: `s${l}` });
}

function heard(story: Story, l: number, ...facts: AgentFact[]): Story {
  const offset = live(story)?.launches.current?.offset ?? 0;
  const launchId = launch('a', 1, l);
  story.tell({ type: 'output', launchId, from: offset, to: offset + 1, codec: '{}', facts, replies: [] });
  return story;
}

const live = (story: Story) => story.run.live.get(attempt('a'));
const agent = (story: Story) => {
  const found = story.run.agents.get('agent_a-1');
  if (found === undefined) throw new Error('no agent');
  return found;
};
const texts = (story: Story) =>
  agent(story).mailbox.records.map(({ body }) => (body.kind === 'text' ? body.text : `(${body.kind})`));
const count = (story: Story, type: string) => story.events.filter((event) => event.type === type).length;

/** Reads all its records. */
function listens(story: Story, l: number): Story {
  const records = agent(story).mailbox.records.filter(({ body }) => body.kind === 'text' || body.kind === 'prompt');
  for (const { id } of records) {
    const end = (live(story)?.launches.current?.written ?? 0) + 1;
    story.tell({ type: 'written', launchId: launch('a', 1, l), recordId: id, end });
  }
  return heard(story, l, ...records.map(({ id }): AgentFact => ({ kind: 'delivered', recordId: id })));
}

function handsOver(story: Story, given: Partial<Handoff>, n = 1): Story {
  const handoff = { found: [], decided: [], changed: [], remaining: ['the rest'], commands: [], tried: [], ...given };
  const body = { type: 'handoff.given', attemptId: attempt('a'), agentId: 'agent_a-1' } as const;
  const event = { ...body, at: story.now, artifactId: `artifact_${n}` as const, handoff };
  story.events.push(event);
  evolve(story.run, event);
  return story;
}

const prompt = (story: Story, again = false) => {
  const found = story.run.tasks.get(taskId('a'));
  return found === undefined ? '' : promptText(story.run, found, { again, inputs: '/i' });
};

describe('a context window', () => {
  it('over its threshold is reported once, until it is compacted [HAND-3]', () => {
    const story = withContext('compact');
    heard(story, 1, fill(79));
    expect(count(story, 'context.filled')).toBe(0);
    heard(story, 1, fill(80), fill(90));
    heard(story, 1, fill(95));
    expect(count(story, 'context.filled')).toBe(1);
    heard(story, 1, { kind: 'compaction', trigger: 'auto', tokensBefore: 95, tokensAfter: 10 });
    expect(agent(story).memory).toMatchObject({ filled: false, context: { tokens: 10, window: 100 } });
    heard(story, 1, fill(85));
    expect(count(story, 'context.filled')).toBe(2);
    expect(story.events.findLast(({ type }) => type === 'context.compacted')).toMatchObject({
      trigger: 'auto',
      tokensBefore: 95,
      tokensAfter: 10,
    });
  });

  it('of unknown size is never found too full [HAND-14]', () => {
    const story = heard(withContext('fail'), 1, fill(1_000_000, null));
    expect(count(story, 'context.filled')).toBe(0);
    expect(live(story)?.stop).toBeNull();
  });

  it('over its threshold fails an attempt with context: fail [HAND-5]', () => {
    const story = heard(withContext('fail'), 1, fill(81));
    expect(live(story)?.stop).toMatchObject({ reason: 'context-overflow' });
    down(story, 'a', 0);
    saved(story, 'a');
    expect(outcomeOf(story, 'a')).toMatchObject({ kind: 'failed', failure: { reason: 'context-overflow' } });
  });

  it('over its threshold at the end of the work changes nothing [HAND-5] [HAND-6]', () => {
    for (const how of ['fail', 'handoff', 'compact'] as const) {
      const story = heard(withContext(how), 1, fill(81), ok);
      expect(live(story)?.stop?.reason, how).toBe('finished');
      expect(count(story, 'handoff.asked')).toBe(0);
    }
  });
});

describe('an agent that is to compact', () => {
  const output = { type: 'object' };

  it('is asked to also when the full window is reported with the end of its turn [HAND-4]', () => {
    const story = heard(withContext('compact', { output }), 1, fill(90), ok);
    expect(agent(story).mailbox.records[0]?.body).toEqual({ kind: 'compact' });
    const compacted = { kind: 'compaction', trigger: 'auto', tokensBefore: 90, tokensAfter: 10 } as const;
    const again = heard(withContext('compact', { output }), 1, fill(90), compacted, ok);
    expect(texts(again)).toHaveLength(1);
  });

  it('is asked to before its next turn, and gets nothing else meanwhile [HAND-4]', () => {
    const story = heard(withContext('compact', { output }), 1, fill(90));
    expect(texts(story)).toEqual([]);
    // Its output is missing: it has to go on.
    heard(story, 1, ok);
    const compact = agent(story).mailbox.records[0];
    expect(compact?.body).toEqual({ kind: 'compact' });
    expect(texts(story)).toHaveLength(2);
    const due = () => story.pending().effects.flatMap((each) => (each.kind === 'write' ? each.recordId : []));
    expect(due()).toEqual([compact?.id]);
    story.tell({ type: 'written', launchId: launch('a'), recordId: compact?.id ?? 'record_', end: 9 });
    expect(due()).toEqual([]);
    // What its harness answers goes before: it may wait for that to begin at all.
    const offset = live(story)?.launches.current?.offset ?? 0;
    const read = {
      type: 'output',
      launchId: launch('a'),
      from: offset,
      to: offset + 1,
      codec: '{}',
      facts: [],
    } as const;
    story.tell({ ...read, replies: ['{}\n'] });
    const reply = agent(story).mailbox.records.find(({ body }) => body.kind === 'record');
    expect(due()).toEqual([reply?.id]);
    story.tell({ type: 'written', launchId: launch('a'), recordId: reply?.id ?? 'record_', end: 12 });
    expect(due()).toEqual([]);
    heard(story, 1, { kind: 'compaction', trigger: 'manual', tokensBefore: 90, tokensAfter: 5 }, ok);
    expect(due()).toEqual([agent(story).mailbox.records[0]?.id]);
    expect(live(story)?.stop).toBeNull();
  });

  /** Where it is written, nothing else can come: a part of it may be there. */
  it('is told after the record that is being written, whatever comes meanwhile [HAND-4] [REC-2]', () => {
    const story = heard(withContext('compact', { output }), 1, fill(90));
    const due = () => story.pending().effects.flatMap((each) => (each.kind === 'write' ? each.recordId : []));
    story.tell({ type: 'send', recordId: 'record_m', taskId: taskId('a'), from: 'ada', text: 'look' });
    expect(due()).toEqual(['record_m']);
    heard(story, 1, ok);
    expect(texts(story)).toEqual(['look', '(compact)']);
    expect(due()).toEqual(['record_m']);
  });

  it('gets the record that is being written before what waited for the compaction [HAND-4] [REC-2]', () => {
    const story = heard(withContext('compact', { output }), 1, fill(90));
    heard(story, 1, ok);
    const due = () => story.pending().effects.flatMap((each) => (each.kind === 'write' ? each.recordId : []));
    const answered = (): string => {
      const offset = live(story)?.launches.current?.offset ?? 0;
      const read = { type: 'output', launchId: launch('a'), from: offset, to: offset + 1, codec: '{}' } as const;
      story.tell({ ...read, facts: [], replies: ['{}\n'] });
      return agent(story).mailbox.records.findLast(({ body }) => body.kind === 'record')?.id ?? 'none';
    };
    const before = answered();
    const compact = agent(story).mailbox.records[0]?.id ?? 'record_';
    story.tell({ type: 'written', launchId: launch('a'), recordId: compact, end: 9 });
    const after = answered();
    expect(due()).toEqual([before]);
    heard(story, 1, { kind: 'compaction', trigger: 'manual', tokensBefore: 90, tokensAfter: 5 }, ok);
    expect(due()).toEqual([before]);
    expect(
      agent(story)
        .mailbox.records.map(({ id }) => id)
        .slice(0, 2),
    ).toEqual([before, after]);
  });

  it('gets what waited also when the end was noted before the writing of the order [HAND-4] [REC-2]', () => {
    const compacted = { kind: 'compaction', trigger: 'manual', tokensBefore: 90, tokensAfter: 5 } as const;
    for (const came of [[compacted, ok], [ok]]) {
      const story = heard(withContext('compact', { output }), 1, fill(90));
      heard(story, 1, ok);
      const [compact, correction] = agent(story).mailbox.records;
      const due = () => story.pending().effects.flatMap((each) => (each.kind === 'write' ? each.recordId : []));
      const recordId = compact?.id ?? 'record_';
      heard(story, 1, { kind: 'delivered', recordId }, ...came);
      expect(due()).toEqual([recordId]);
      story.tell({ type: 'written', launchId: launch('a'), recordId, end: 9 });
      expect(due()).toEqual([correction?.id]);
      expect(texts(story)).toHaveLength(1);
    }
  });

  it('is told once when its session is resumed [HAND-4]', () => {
    const story = heard(withContext('compact'), 1, fill(90));
    down(story, 'a', null);
    story.tell({ type: 'launched', launchId: launch('a', 1, 2), process: null });
    expect(texts(story)[0]).toBe('(compact)');
    story.tell({
      type: 'written',
      launchId: launch('a', 1, 2),
      recordId: agent(story).mailbox.records[0]?.id ?? 'record_',
      end: 9,
    });
    down(story, 'a', null, 1, 2);
    story.tell({ type: 'launched', launchId: launch('a', 1, 3), process: null });
    expect(texts(story)).not.toContain('(compact)');
  });

  it('is not told if its harness cannot compact [HAND-4]', () => {
    const story = heard(withContext('compact', { output }), 1, { kind: 'filled', tokens: 90, window: 100 });
    heard(story, 1, ok);
    expect(texts(story)).toHaveLength(1);
    expect(texts(story)).not.toContain('(compact)');
  });
});

describe('an agent that is to hand over', () => {
  it('is told at once, and is started in a fresh session from its handoff, in the same workspace [HAND-6] [HAND-7]', () => {
    const story = heard(withContext('handoff'), 1, fill(85));
    expect(texts(story)[0]).toMatch(/^Your context window is nearly full\..*submit_artifact/s);
    listens(story, 1);
    handsOver(story, { found: ['the bug is in b.ts'] });
    heard(story, 1, ok);
    expect(live(story)?.stop?.reason).toBe('finished');
    down(story, 'a', 0);
    expect(live(story)).toMatchObject({
      state: 'launching',
      launches: { renewals: 1, current: { resume: false } },
      stop: null,
    });
    expect(live(story)?.workspace.path).toBe('/w');
    expect(agent(story)).toMatchObject({ session: null, memory: { sessionsBefore: 1, ended: 'handedOver' } });
    expect(texts(story)).toEqual(['(prompt)']);
    expect(prompt(story)).toContain('do a\n\nYou have worked on this before. That conversation was ended');
    expect(prompt(story)).toContain('### Found out\n\n- the bug is in b.ts');
    expect(story.pending().effects.map(({ kind }) => kind)).toEqual(['launch']);
  });

  it('is reminded once, and then Signalbox hands over from the journal [HAND-6]', () => {
    const story = heard(withContext('handoff'), 1, fill(85));
    // It had not read the request yet.
    heard(story, 1, ok);
    expect(count(story, 'handoff.asked')).toBe(1);
    listens(story, 1);
    heard(story, 1, ok);
    expect(texts(story)[0]).toMatch(/^You have not handed over yet\./);
    expect(live(story)?.stop).toBeNull();
    listens(story, 1);
    heard(story, 1, ok);
    expect(live(story)?.stop?.reason).toBe('finished');
    expect(story.events.findLast(({ type }) => type === 'handoff.given')).toMatchObject({ artifactId: null });
    down(story, 'a', 0);
    expect(live(story)).toMatchObject({ state: 'launching', launches: { renewals: 1 } });
    expect(prompt(story)).toContain('- Said at the end of the last turn: so far');
  });

  it('is started in a fresh session from the journal when its context overflows [HAND-20]', () => {
    const story = withContext('handoff');
    const failure = { reason: 'context-overflow', detail: 'too long' } as const;
    heard(story, 1, { kind: 'turnEnded', turn: { kind: 'failed', failure } });
    story.tell({ type: 'down', launchId: launch('a'), status: 1, turn: null, inFlight: ['Bash: make deploy'] });
    expect(live(story)).toMatchObject({ state: 'launching', launches: { renewals: 1 } });
    expect(prompt(story)).toContain('Bash: make deploy (under way when the process ended)');
  });

  it('keeps unread messages [HAND-7]', () => {
    const story = handsOver(withContext('compact'), {});
    story.tell({ type: 'send', recordId: 'record_x', taskId: taskId('a'), from: 'ann', text: 'mind the gap' });
    heard(story, 1, ok);
    down(story, 'a', 0);
    expect(texts(story)).toEqual(['(prompt)', 'mind the gap']);
  });

  it('is not started again when nothing is left to do, or when a person stops it [HAND-17]', () => {
    const done = heard(handsOver(withContext('handoff'), { remaining: [] }), 1, ok);
    down(done, 'a', 0);
    expect(live(done)).toMatchObject({ state: 'saving', launches: { renewals: 0 } });
    for (const late of [false, true]) {
      const story = handsOver(withContext('handoff'), {});
      if (late) heard(story, 1, ok);
      story.tell({ type: 'stopTask', taskId: taskId('a'), by: 'ann' });
      if (!late) heard(story, 1, ok);
      down(story, 'a', 0);
      expect(live(story)).toMatchObject({ state: 'saving', launches: { renewals: 0 } });
    }
  });

  it('may hand over a limited number of times, and then fails [HAND-16]', () => {
    const story = withContext('compact');
    for (let n = 1; n <= renewalsMax + 1; n++) {
      handsOver(story, { found: [`fact ${n}`] }, n);
      heard(story, n, ok);
      down(story, 'a', 0, 1, n);
      if (n > renewalsMax) break;
      story.tell({ type: 'launched', launchId: launch('a', 1, n + 1), process: null });
      begun(story, n + 1);
    }
    expect(live(story)).toMatchObject({ state: 'saving', launches: { renewals: renewalsMax } });
    saved(story, 'a');
    expect(outcomeOf(story, 'a')).toMatchObject({ kind: 'failed', failure: { reason: 'context-overflow' } });
    expect(agent(story).memory.handoffs[0]?.handoff.found).toEqual(['fact 1']);
  });

  it('waits for its slot again when a budget or a service is in the way [HAND-7]', () => {
    const story = heard(handsOver(withContext('compact'), {}), 1, ok);
    story.tell({ type: 'lineSeen', attemptId: attempt('a'), closed: 'the service is closed' });
    story.tell({ type: 'down', launchId: launch('a'), status: 0, turn: null });
    expect(live(story)).toMatchObject({ state: 'resting', parking: { parked: { why: { kind: 'quota' } } } });
    story.tell({ type: 'goOn', attemptId: attempt('a'), host: 'h' });
    expect(live(story)?.launches.current?.resume).toBe(false);
    expect(texts(story)).toEqual(['(prompt)']);
  });
});

describe('a lost session', () => {
  it('is rebuilt from everything the journal knows, within its bounds [HAND-2]', () => {
    const story = handsOver(withContext('compact'), { found: ['it is in b.ts'], remaining: [] });
    heard(story, 1, { kind: 'turnEnded', turn: { kind: 'ok', text: 'I have begun with b.ts.', cut: false } });
    const message = { type: 'send', recordId: 'record_x', taskId: taskId('a'), from: 'ann', text: 'go on' } as const;
    story.tell(message);
    const stored = { artifactId: 'artifact_9', kind: 'finding', bytes: 9 } as const;
    const by = { taskId: taskId('a'), attemptId: attempt('a'), agentId: 'agent_a-1' } as const;
    evolve(story.run, { type: 'artifact.stored', at: 0, ...stored, ...by, inputs: [], commit: '' });
    story.tell({ type: 'down', launchId: launch('a'), status: null, turn: null, inFlight: ['Bash: npm test'] });
    story.tell({ type: 'found', launchId: launch('a', 1, 2), recordIds: [], missing: true });
    const text = prompt(story, true);
    expect(text).toContain('that conversation was lost');
    expect(text).toContain('You said at the end of your last turn: I have begun with b.ts.');
    expect(text).toContain('- Bash: npm test');
    expect(text).toContain('artifact_9 (finding)');
    expect(text).toContain('- it is in b.ts');
    expect(text.length).toBeLessThan(8_000);
    expect(agent(story).memory.sessionsBefore).toBe(1);
    // However often it is written, and out of a snapshot.
    const loaded = readRun(writeRun(story.run)).tasks.get(taskId('a'));
    expect(loaded && promptText(readRun(writeRun(story.run)), loaded, { again: true, inputs: '/i' })).toBe(text);
  });

  it("reports once how the agent's children ended [HAND-2]", () => {
    const story = withContext('compact');
    evolve(story.run, { type: 'task.added', at: 0, task: task('child', { parent: taskId('a') }) });
    expect(prompt(story, true)).toContain('\n- child: ready');
    expect(prompt(story, true).match(/- child/g)).toHaveLength(1);
  });
});
