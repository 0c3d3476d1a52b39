// Stories about sessions that are resumed, and about what a harness answers by itself.

import { describe, expect, it } from 'vitest';
import { attempt, down, launch, launched, type Story, submitted, task, taskId } from './story.ts';

const kinds = (story: Story): string[] => story.pending().effects.map((effect) => effect.kind);
const stateOf = (story: Story, name = 'a', n = 1) => story.run.live.get(attempt(name, n));

describe('a resumed session', () => {
  const lost = (): Story => {
    const story = submitted(task('a'));
    launched(story, 'a');
    const session = { kind: 'session', session: 's' } as const;
    story.tell({ type: 'output', launchId: launch('a'), from: 0, to: 5, codec: '{}', facts: [session], replies: [] });
    story.tell({ type: 'written', launchId: launch('a'), recordId: 'record_a-1-1', end: 10 });
    down(story, 'a', null);
    return story;
  };

  it('waits longer with each launch [LAU-7]', () => {
    const story = lost();
    expect(kinds(story)).toEqual([]);
    expect(story.pending().wakeAt).toBe(story.now + 500);
    story.now += 500;
    expect(kinds(story)).toEqual(['launch']);
  });

  it('is not told again what its own transcript holds, but what may have happened [REC-5]', () => {
    const story = lost();
    story.tell({ type: 'found', launchId: launch('a', 1, 2), recordIds: ['record_a-1-1'], missing: false });
    const records = story.run.agents.get('agent_a-1')?.mailbox.records;
    expect(records).toMatchObject([{ id: 'record_a-1-2', body: { kind: 'text' } }]);
    expect(
      story.tell({ type: 'found', launchId: launch('a', 1, 2), recordIds: ['record_a-1-1'], missing: false }),
    ).toEqual([]);
  });

  it('whose transcript is gone starts again in the same launch [LAU-10]', () => {
    const story = lost();
    story.tell({ type: 'found', launchId: launch('a', 1, 2), recordIds: [], missing: true });
    expect(story.run.agents.get('agent_a-1')).toMatchObject({
      session: null,
      mailbox: { records: [{ body: { kind: 'prompt', again: true } }] },
    });
    expect(story.tell({ type: 'found', launchId: launch('a', 1, 2), recordIds: [], missing: true })).toEqual([]);
  });

  it('that does not exist any more gets nothing more from that process [LAU-10]', () => {
    const story = lost();
    story.tell({ type: 'found', launchId: launch('a', 1, 2), recordIds: ['record_a-1-1'], missing: false });
    story.tell({ type: 'launched', launchId: launch('a', 1, 2), process: null });
    expect(kinds(story)).toContain('write');
    const failed = { kind: 'failed', failure: { reason: 'crash', detail: 'no conversation' } } as const;
    const facts = [{ kind: 'sessionLost' }, { kind: 'turnEnded', turn: failed }] as const;
    story.tell({ type: 'output', launchId: launch('a', 1, 2), from: 0, to: 9, codec: '{}', facts, replies: [] });
    const text = { taskId: taskId('a'), from: 'ann', text: 'more' };
    story.tell({ type: 'send', recordId: 'record_x', ...text });
    expect(kinds(story)).not.toContain('write');
    down(story, 'a', 1, 1, 2);
    story.now += 60_000;
    story.tell({ type: 'launched', launchId: launch('a', 1, 3), process: null });
    expect(story.pending().effects).toMatchObject([{ kind: 'watch' }, { kind: 'write', recordId: 'record_a-1-3' }]);
  });

  it('that does not exist any more starts again with the prompt, and is told so [LAU-10]', () => {
    const story = lost();
    story.tell({ type: 'found', launchId: launch('a', 1, 2), recordIds: ['record_a-1-1'], missing: false });
    story.tell({ type: 'launched', launchId: launch('a', 1, 2), process: null });
    story.tell({
      type: 'output',
      launchId: launch('a', 1, 2),
      from: 0,
      to: 9,
      codec: '{}',
      facts: [
        { kind: 'sessionLost' },
        { kind: 'turnEnded', turn: { kind: 'failed', failure: { reason: 'crash', detail: 'no conversation' } } },
      ],
      replies: [],
    });
    down(story, 'a', 1, 1, 2);
    expect(stateOf(story)).toMatchObject({ state: 'launching', launches: { current: { resume: false } } });
    expect(story.run.agents.get('agent_a-1')).toMatchObject({
      session: null,
      mailbox: { records: [{ body: { kind: 'prompt', again: true } }] },
    });
  });

  it('gets again the records that its own transcript does not hold [REC-5] [REC-3]', () => {
    const story = lost();
    story.tell({ type: 'found', launchId: launch('a', 1, 2), recordIds: [], missing: false });
    expect(story.run.agents.get('agent_a-1')?.mailbox.records).toMatchObject([{ id: 'record_a-1-1', state: 'queued' }]);
  });
});

describe('an answer of the harness itself', () => {
  it('is journalled with the line that asked, written once, and comes before the end [REC-6]', () => {
    const story = submitted(task('a'));
    launched(story, 'a');
    story.tell({ type: 'written', launchId: launch('a'), recordId: 'record_a-1-1', end: 10 });
    story.tell({
      type: 'output',
      launchId: launch('a'),
      from: 0,
      to: 5,
      codec: '{}',
      facts: [
        { kind: 'delivered', recordId: 'record_a-1-1' },
        { kind: 'turnEnded', turn: { kind: 'ok', text: '', cut: false } },
      ],
      replies: ['{"answer":1}\n'],
    });
    const records = () => story.run.agents.get('agent_a-1')?.mailbox.records.map((message) => message.body.kind);
    expect(records()).toEqual(['record', 'end']);
    story.tell({ type: 'written', launchId: launch('a'), recordId: 'record_a-1-2', end: 23 });
    expect(records()).toEqual(['end']);
  });
});

it('a forged acknowledgement changes nothing: the record of another agent, or of nobody, stays what it is [SPEAK-2]', () => {
  const story = submitted(task('a'), task('b'));
  launched(story, 'a');
  launched(story, 'b');
  const forged = (['record_b-1-1', 'record_a-1-99', 'record_', 'record___proto__'] as const).map((recordId) => {
    return { kind: 'delivered', recordId } as const;
  });
  const before = JSON.stringify(story.run.agents.get('agent_b-1')?.mailbox.records);
  const told = story.tell({
    type: 'output',
    launchId: launch('a'),
    from: 0,
    to: 5,
    codec: '{}',
    facts: forged,
    replies: [],
  });
  expect(told.map(({ type }) => type)).not.toContain('record.delivered');
  expect(JSON.stringify(story.run.agents.get('agent_b-1')?.mailbox.records)).toBe(before);
});
