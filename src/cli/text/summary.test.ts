import { describe, expect, it } from 'vitest';
import type { TaskView } from '../../wire/views.ts';
import { exits } from '../client/context.ts';
import { exitFor } from './summary.ts';

const attempt = {
  ref: 'refs/x/1',
  commit: 'c'.repeat(40),
  base: 'b'.repeat(40),
  gitDir: '/g',
  workspace: '/w',
  url: null,
  notes: [],
  checks: null,
  branchChecks: null,
};
const task = (name: string, said: object): TaskView =>
  ({
    id: `task_${name}`,
    name,
    kind: 'work',
    parent: null,
    attempt,
    outcome: { kind: 'succeeded', commit: 'c'.repeat(40) },
    ...said,
  }) as unknown as TaskView;
describe('the exit code of a run', () => {
  const because = (reason: string) => ({ outcome: { kind: 'failed', failure: { reason, detail: '' } } });

  it('tells partial from failed, and puts an exhausted budget first [CLI-6]', () => {
    const tasks = [task('a', {}), task('b', because('check-failed'))];
    expect(exitFor({ outcome: 'succeeded', landing: null, tasks: [task('a', {})] })).toBe(exits.ok);
    const landing = { n: 1, into: 'main', openPr: false, by: 'ann', askedAt: 0, moves: 0, trouble: null };
    const aside = { kind: 'aside', branch: 'signalbox-run/a', commit: 'c', why: 'main is checked out' } as const;
    const waits = { ...landing, outcome: aside, asAsked: false };
    expect(exitFor({ outcome: 'succeeded', landing: waits, tasks: [task('a', {})] })).toBe(exits.person);
    expect(exitFor({ outcome: 'partial', landing: null, tasks })).toBe(exits.partial);
    expect(exitFor({ outcome: 'failed', landing: null, tasks: tasks.slice(1) })).toBe(exits.failed);
    expect(exitFor({ outcome: 'stopped', landing: null, tasks })).toBe(exits.failed);
    expect(exitFor({ outcome: 'partial', landing: null, tasks: [...tasks, task('c', because('budget'))] })).toBe(
      exits.budget,
    );
  });
});
