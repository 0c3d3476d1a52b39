// The options of `limits` are those that the daemon reports, in the same units.

import { expect, it } from 'vitest';
import { limitOptions } from '../src/cli/options/limit-options.ts';
import { changeOf, limitLines } from '../src/cli/verbs/view/limits.ts';
import { viewLimits } from '../src/server/views/children-view.ts';
import { createStory, task } from './model/story.ts';

it('all limits on agents are named by the options that set them [CHILD-81]', () => {
  const story = createStory();
  const limits = { parallelMax: 9, children: { agentsMax: 1, idleMs: 500 } };
  const run = { id: 'run_1', name: 'a run', repo: { path: '/repo', base: 'b0' }, limits, integrates: true } as const;
  story.tell({ type: 'submit', run, tasks: [task('a')] });
  const all = viewLimits(story.run);
  const options = limitOptions.map(({ limit, option }) => ({ limit, option }));
  expect(all.map(({ limit, option }) => ({ limit, option }))).toEqual(options);
  const inAll = { limit: 'agentsMax', option: 'agents-in-all', max: 1, usual: 200, reached: false };
  const idle = { limit: 'idleMs', option: 'idle-seconds', max: 0.5, usual: 10, reached: false };
  expect(all).toEqual(expect.arrayContaining([inAll, idle]));
  expect(changeOf({ agentsInAll: 400, idleSeconds: 0.5 })).toEqual({ agentsMax: 400, idleMs: 500 });
  expect(changeOf({ json: true })).toBeNull();
  expect(limitLines({ limits: all })[3]).toMatch(/^agents-in-all +1 +200 +agents spawned in the whole run$/);
});
