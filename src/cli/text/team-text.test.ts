// Teams on a terminal: one line for each member and item, whatever their names are.

import { expect, it } from 'vitest';
import type { TeamView } from '../../wire/team-views.ts';
import { hasMore, teamLines } from './team-text.ts';

const evil = 'r\u202ed';
const member = {
  task: 'ann',
  taskId: 'task_a',
  state: 'at work',
  wait: null,
  progress: `half\n${evil}`,
  holds: [2, 3],
  askedAt: null,
  refused: false,
  leaves: null,
};
const item = {
  n: 1,
  title: `parse${evil}`,
  text: '',
  state: 'done' as const,
  needs: [],
  by: 'bob',
  result: `${evil}\nmade it`,
};
const team: TeamView = {
  name: 'children',
  purpose: `to build\n${evil}${'x'.repeat(300)}`,
  lead: 'lead',
  leadId: 'task_l',
  createdAt: 0,
  over: false,
  forced: false,
  members: [
    member,
    {
      ...member,
      task: 'bob',
      state: 'rests',
      holds: [],
      progress: null,
      wait: { kind: 'rest', until: null, owner: 'agent', detail: { for: 'work', team: 'children' } },
      refused: true,
    },
    { ...member, task: 'cy', state: 'succeeded', holds: [], progress: null, leaves: 'dismissed' },
  ],
  items: [
    item,
    { ...item, n: 2, state: 'claimed', by: 'ann', result: '' },
    { ...item, n: 3, state: 'waits', needs: [2], by: null, result: '' },
  ],
};

it('members and items are one line each, and plain text [TEAM-10]', () => {
  const lines = teamLines(team);
  for (const line of lines) expect(line).toMatch(/^[ -~…]*$/);
  expect(lines[0]).toMatch(/^team children, led by lead: to build r<U\+202E>dx+…$/);
  expect(lines[1]).toMatch(/^ {2}MEMBER +STATE +HOLDS +DOING$/);
  expect(lines[2]).toMatch(/^ {2}ann +at work +2, 3 +half r<U\+202E>d$/);
  expect(lines[3]).toMatch(/^ {2}bob +rests +- +refused to shut down; waits for work of team "children"$/);
  expect(lines[4]).toMatch(/^ {2}cy +succeeded +- +dismissed: no work left$/);
  expect(lines[6]).toMatch(/^ {2}1 +done +bob +parser<U\+202E>d +r<U\+202E>d made it$/);
  expect(lines[8]).toMatch(/^ {2}3 +waits for 2 +- +parser<U\+202E>d$/);
  expect(teamLines({ ...team, over: true, members: [], items: [] }).slice(1)).toEqual([
    '  no members',
    '  the task list is empty',
  ]);
});

it('shortened lines say that more is shown by --json [TEAM-10]', () => {
  const short = { ...team, purpose: 'to build' };
  expect(hasMore(short)).toBe(false);
  expect(hasMore(team)).toBe(true);
  expect(hasMore({ ...short, items: [{ ...item, result: 'x'.repeat(61) }] })).toBe(true);
  expect(hasMore({ ...short, items: [{ ...item, text: 'how it is meant' }] })).toBe(true);
});
