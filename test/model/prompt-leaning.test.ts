// Stories about prompts that lean on what their readers will not have.

import { expect, it } from 'vitest';
import { atWork, spawn } from './children-story.ts';
import { type Story, submitted, task } from './story.ts';

/** `a` is at work in a sandbox. */
function asker(): Story {
  const story = submitted(task('a', { sandbox: 'workspace' }));
  atWork(story, 'a');
  return story;
}

it.each([
  ['Fix it as we discussed above, then run the tests.', 'as we discussed'],
  ['Go on with the file I mentioned and finish it there.', 'the file I mentioned'],
  ['fix', '3 characters'],
  ['Sum up what stands in /h/launches/launch_01a-1-1/result for people.', '/h/launches/launch_01a-1-1/result'],
  ['Sum up /h/agents/agent_01a-1/inputs/b.json, in a table for people.', 'inputs'],
  ['Use ${{ tasks.x.output }} for this and write the file.', 'inputs'],
])('refuses a prompt that relies on what the agent will not have: %s [CHILD-7]', (prompt, missing) => {
  const story = asker();
  const { isError, text } = spawn(story, 'a', 'b', { prompt });
  expect(isError).toBe(true);
  expect(text).toContain(missing);
  expect(story.run.tasks.size).toBe(1);
});

it('checks a prompt quickly and refuses it briefly, whatever it relies on [CHILD-7] [CHILD-52]', () => {
  const story = asker();
  const since = performance.now();
  const prompts = ['${{'.repeat(33_333), '/'.repeat(100_000), `Look at /x/launch_1${'x'.repeat(90_000)} for me.`];
  for (const prompt of prompts) expect(spawn(story, 'a', 'b', { prompt }).text.length).toBeLessThan(1_000);
  expect(performance.now() - since).toBeLessThan(2_000);
});
