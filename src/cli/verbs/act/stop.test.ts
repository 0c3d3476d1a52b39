// What a person reads after stopping a task: its name, and the tasks that are stopped with it.

import { expect, it } from 'vitest';
import type { TaskView } from '../../../wire/views.ts';
import { stoppedWords } from './stop.ts';

const task = (name: string, parent: string | null, state: TaskView['state'] = 'active'): TaskView =>
  ({ id: `task_${name}`, name, parent, state }) as TaskView;

it('stop names the task and its open descendants, not the ended ones [CLI-5]', () => {
  const tasks = [
    task('lead', null),
    task('mid', 'task_lead'),
    task('other', 'task_lead'),
    task('leaf', 'task_mid'),
    task('done', 'task_mid', 'ended'),
  ];
  const run = { id: 'run_1', name: 'deep', tasks };
  expect(stoppedWords(run, 'task_mid')).toBe('Stopping mid (task_mid) with its children (leaf)');
  expect(stoppedWords(run, 'task_other')).toBe('Stopping other (task_other)');
  expect(stoppedWords(run, null)).toBe('Stopping deep (run_1)');
  const many = Array.from({ length: 9 }, (_, n) => task(`kid-${n}`, 'task_lead'));
  expect(stoppedWords({ ...run, tasks: [task('lead', null), ...many] }, 'task_lead')).toBe(
    'Stopping lead (task_lead) with its children (kid-0, kid-1, kid-2, kid-3, kid-4 and 4 more)',
  );
});
