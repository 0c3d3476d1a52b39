// Views of teams: everything that was written, and only those reports of members that still hold.

import { expect, it } from 'vitest';
import { call, named, spawn } from '../../../test/model/children-story.ts';
import { submitted, task } from '../../../test/model/story.ts';
import { begin, endTurn, readInput } from '../../../test/model/team-story.ts';
import { emptyHost } from '../../model/host/host.ts';
import { sceneOf } from '../../model/parking/admit.ts';
import { viewTold } from './children-view.ts';
import { viewTeams } from './team-view.ts';

const tasksCall = {
  tool: 'team_tasks',
  team: 'children',
  add: [],
  done: [],
  giveBack: [],
  from: 0,
  show: null,
} as const;

it("the list is shown whole, and a member's progress while it works [TEAM-10] [TEAM-16]", () => {
  const story = submitted(task('lead'));
  const look = () => viewTeams(story.run, sceneOf(emptyHost(), [story.run], story.now))[0];
  begin(story, 'lead');
  readInput(story, 'lead');
  call(story, 'lead', { tool: 'team_create', name: 'children', purpose: 'to build it' });
  spawn(story, 'lead', 'ann', { team: 'children' });
  begin(story, 'ann');
  readInput(story, 'ann');
  const [text, result] = ['t'.repeat(5_000), 'r'.repeat(5_000)];
  call(story, 'lead', { ...tasksCall, add: [{ title: 'one', text, needs: [] }] });
  call(story, 'ann', { tool: 'claim_task', team: 'children', n: null });
  call(story, 'ann', { tool: 'report_progress', line: 'half of it', fraction: 0.5 });
  expect(look()?.members).toMatchObject([{ task: 'ann', state: 'at work', progress: 'half of it', holds: [1] }]);
  expect(viewTold(story.run, named(story, 'ann'))).toMatchObject({ line: 'half of it', fraction: 0.5 });
  call(story, 'ann', { ...tasksCall, done: [{ n: 1, result }] });
  endTurn(story, 'ann');
  expect(look()?.items).toMatchObject([{ n: 1, title: 'one', text, state: 'done', by: 'ann', result }]);
  expect(look()?.members).toMatchObject([
    { state: 'rests', wait: { kind: 'rest', detail: { for: 'work', team: 'children' } }, progress: null },
  ]);
  expect(viewTold(story.run, named(story, 'ann'))).toBeNull();
});

it('a member that waits for a person or a child is not shown as working [TEAM-16]', () => {
  const story = submitted(task('lead'));
  const state = () => viewTeams(story.run, sceneOf(emptyHost(), [story.run], story.now))[0]?.members[0]?.state;
  begin(story, 'lead');
  readInput(story, 'lead');
  call(story, 'lead', { tool: 'team_create', name: 'children', purpose: '' });
  spawn(story, 'lead', 'ann', { team: 'children' });
  begin(story, 'ann');
  readInput(story, 'ann');
  spawn(story, 'ann', 'kid');
  endTurn(story, 'ann');
  expect(state()).toBe('waits');
  call(story, 'lead', { tool: 'send_message', to: 'ann', text: 'ask somebody', type: null });
  readInput(story, 'ann');
  expect(state()).toBe('at work');
  call(story, 'ann', { tool: 'ask_person', question: 'Which?', options: [] });
  endTurn(story, 'ann');
  expect(state()).toBe('waits for a person');
});
