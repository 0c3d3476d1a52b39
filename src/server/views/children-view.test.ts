// Views of agents that spawn agents: limits they reached, what they wait for, what they ask.

import { expect, it } from 'vitest';
import { atWork, call, plainSpawn, spawn, withChildren } from '../../../test/model/children-story.ts';
import { type Story, task, taskId, turned } from '../../../test/model/story.ts';
import type { ChildLimits } from '../../model/core/child-limits.ts';
import { questionId } from '../../model/core/ids.ts';
import { readRun, writeRun } from '../../model/snapshot.ts';
import type { CallRequest } from '../../model/tool-calls/call.ts';
import { viewReached, viewRests } from './children-view.ts';

function storyWith(children: Partial<ChildLimits>): Story {
  const story = withChildren(children, task('a'));
  atWork(story, 'a');
  return story;
}

it('a reached limit is shown once, with its value and the agent that met it first, while the run goes on [CHILD-84]', () => {
  const story = storyWith({ agentsMax: 1 });
  expect(viewReached(story.run)).toEqual([]);
  call(story, 'a', { tool: 'spawn_agent', ...plainSpawn });
  call(story, 'a', { tool: 'spawn_agent', ...plainSpawn });
  const told = [
    {
      key: 'run_1 agentsMax 1',
      limit: 'agentsMax',
      max: 1,
      taskId: taskId('a'),
      task: 'a',
      since: story.now,
      words:
        '"a" reached a limit of the run: 1 spawned agents in total (raise it: signalbox limits run_1 --agents-in-all 2)',
    },
  ];
  expect(viewReached(story.run)).toEqual(told);
  expect(viewReached(readRun(writeRun(story.run)))).toEqual(told);
});

it('an agent that waits for its children rests, one in a timed wait does not [CHILD-95]', () => {
  const rests = (story: Story): boolean => {
    const found = story.run.tasks.get(taskId('a'));
    return found !== undefined && viewRests(story.run, found);
  };
  const asker = (...more: readonly CallRequest[]): Story => {
    const story = storyWith({});
    spawn(story, 'a', 'b');
    for (const request of more) call(story, 'a', request);
    return story;
  };
  const story = asker();
  expect(rests(story)).toBe(false);
  turned(story, 'a');
  expect(rests(story)).toBe(true);
  const wait = (timeoutMs: number | null): CallRequest => ({ tool: 'wait', tasks: [], mode: 'all', timeoutMs });
  const [timed, patient] = [asker(wait(5_000)), asker(wait(null))];
  turned(timed, 'a');
  turned(patient, 'a');
  expect([rests(timed), rests(patient)]).toEqual([false, true]);
});

const answer = (more: object) =>
  ({
    type: 'answerAsk',
    askId: questionId(taskId('a'), 1),
    approved: true,
    by: 'ann',
    message: null,
    remember: null,
    ...more,
  }) as const;

function asking(options: readonly string[]): Story {
  const story = storyWith({});
  call(story, 'a', { tool: 'ask_person', question: 'Which?', options });
  turned(story, 'a');
  return story;
}

const refusal = (story: Story, more: object): string => {
  const decision = story.ask(answer(more));
  return decision.kind === 'refused' ? `${decision.refusal.kind}: ${decision.refusal.reason}` : 'decided';
};

it("an agent's question is answered by one of its options, in words, or with no [CHILD-85]", () => {
  const told = (options: readonly string[], more: object): string | undefined => {
    const story = asking(options);
    story.tell(answer(more));
    return story.events.flatMap((event) => (event.type === 'message.sent' ? [event.message.text] : [])).at(-1);
  };
  const options = ['left', 'right'];
  expect(told(options, { choice: 'left', message: 'then right' })).toBe('left: then right');
  expect(told(options, { words: 'right' })).toBe('right');
  expect(told(options, { words: 'neither: go up' })).toBe('neither: go up');
  expect(told(options, { approved: false, message: 'not now' })).toBe('no: not now');
  expect(told([], {})).toBe('yes');
  expect(told([], { words: 'Bob' })).toBe('Bob');
});

it('an empty, double or unknown answer is refused; the same again changes nothing [CHILD-90]', () => {
  const story = asking(['left', 'right']);
  expect(refusal(story, {})).toBe(
    'notAllowed: it is a question, which approval does not answer; type: signalbox answer ask_a-q1 "<left | right | your words>"',
  );
  expect(refusal(story, { choice: 'up' })).toBe('notAllowed: "up" is no choice: there are left, right');
  expect(refusal(story, { choice: 'left', words: 'up' })).toMatch(/^notAllowed: .*not both$/);
  expect(refusal(story, { approved: false, words: 'up' })).toMatch(/^notAllowed: .*not both$/);
  expect(refusal(asking([]), { choice: 'left' })).toBe('notAllowed: there is nothing to choose: answer it in words');
  story.tell(answer({ words: 'up' }));
  expect(refusal(story, { words: 'up' })).toMatch(/^stale/);
  expect(refusal(story, { words: 'down' })).toMatch(/^notAllowed: ann has answered it with "up" already/);
  const chosen = asking(['left', 'right']);
  chosen.tell(answer({ words: 'left' }));
  expect(refusal(chosen, { choice: 'left' })).toMatch(/^stale/);
  expect(refusal(chosen, { choice: 'right' })).toMatch(/^notAllowed: ann has chosen "left" for it already/);
});
