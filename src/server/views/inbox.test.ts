import { expect, it } from 'vitest';
import { atWork, call, withChildren } from '../../../test/model/children-story.ts';
import { launch, type Story, task } from '../../../test/model/story.ts';
import { emptyHost } from '../../model/host/host.ts';
import { noUsage } from '../../model/spending/usage.ts';
import { inboxOf } from './inbox.ts';
import { bareSource, viewRun } from './run-view.ts';

const look = (story: Story) => inboxOf([viewRun(story.run, { host: emptyHost(), runs: new Map() }, bareSource)]).asks;

it('asks of every kind are in one list, the oldest first, until they are answered [ASK-5]', () => {
  const story = withChildren({}, task('a', { budget: { turns: 1 } }), task('b'));
  atWork(story, 'a');
  atWork(story, 'b');
  call(story, 'b', { tool: 'ask_person', question: 'Which?', options: [] });
  story.now += 1_000;
  const output = { type: 'output', launchId: launch('a'), from: 10, to: 19, codec: '{}', replies: [] } as const;
  const request = { kind: 'permissionRequest', requestId: 'r1', tool: 'Bash', input: { command: 'ls' } } as const;
  story.tell({ ...output, facts: [request, { kind: 'usage', model: 'm', usage: { ...noUsage(), turns: 1 } }] });
  story.now += 1_000;
  story.tell({ type: 'tick' });
  expect(look(story)).toMatchObject([
    { id: 'ask_b-q1', kind: 'question', task: 'b', message: 'Which?', budget: null },
    { id: 'ask_a-1-1', kind: 'permission', task: 'a', permission: { tool: 'Bash', input: { command: 'ls' } } },
    { id: 'ask_a-b1', kind: 'budget', task: 'a', budget: { what: 'turns', limit: 1, spent: 1 } },
  ]);
  const yes = { type: 'answerAsk', approved: true, by: 'ann', message: null, remember: null } as const;
  expect(story.ask({ ...yes, askId: 'ask_a-b1' })).toMatchObject({ kind: 'refused' });
  story.tell({ ...yes, askId: 'ask_a-b1', set: { turns: 9 } });
  story.tell({ ...yes, askId: 'ask_a-1-1' });
  story.tell({ ...yes, askId: 'ask_b-q1', words: 'left' });
  expect(look(story)).toEqual([]);
  expect(story.ask({ ...yes, askId: 'ask_a-b1', by: 'bob', set: { turns: 99 } })).toMatchObject({
    refusal: { reason: expect.stringContaining('ann has raised it already') },
  });
});
