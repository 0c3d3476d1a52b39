import { describe, expect, it } from 'vitest';
import type { RunView, TaskView } from '../../wire/views.ts';
import { findWord } from './find-word.ts';

const task = (id: string, name: string): TaskView => ({ id, name }) as TaskView;
const run = (id: string, name: string, ...tasks: TaskView[]): RunView =>
  ({ id, name, state: 'ended', tasks }) as RunView;
const going = (id: string, name: string, ...tasks: TaskView[]): RunView =>
  ({ ...run(id, name, ...tasks), state: 'running' }) as RunView;

const runs = [
  run('run_01a', 'docs', task('task_01b', 'write')),
  run('run_02a', 'fix', task('task_02b', 'write'), task('task_02c', 'test')),
];

describe('a name on the command line', () => {
  it('that is an id, or a unique prefix of one, means that', () => {
    expect(findWord(runs, 'task_01b')).toEqual({ runId: 'run_01a', taskId: 'task_01b' });
    expect(findWord(runs, 'run_01')).toEqual({ runId: 'run_01a', taskId: null });
    expect(findWord([run('run_1', 'a'), run('run_12', 'b')], 'run_1')).toEqual({ runId: 'run_1', taskId: null });
  });

  it('means a task of the newest run first, then a run', () => {
    expect(findWord(runs, 'write')).toEqual({ runId: 'run_02a', taskId: 'task_02b' });
    expect(findWord(runs, 'docs')).toEqual({ runId: 'run_01a', taskId: null });
    expect(findWord([run('run_1', 'a'), run('run_2', 'a')], 'a')).toEqual({ runId: 'run_2', taskId: null });
  });

  it('of a task of an earlier run means that of an open run, or else of the newest [CLI-17]', () => {
    const [old, busy, last] = [
      run('run_1', 'a', task('task_1', 'x')),
      going('run_2', 'b', task('task_2', 'x')),
      run('run_3', 'c'),
    ];
    expect(findWord([old, last], 'x')).toEqual({ runId: 'run_1', taskId: 'task_1' });
    expect(findWord([old, run('run_2', 'b', task('task_2', 'x')), last], 'x').taskId).toBe('task_2');
    expect(findWord([busy, run('run_25', 'd', task('task_25', 'x')), last], 'x')).toEqual({
      runId: 'run_2',
      taskId: 'task_2',
    });
    expect(findWord([old, busy, run('run_3', 'x')], 'x')).toEqual({ runId: 'run_3', taskId: null });
    expect(() => findWord([busy, going('run_25', 'd', task('task_25', 'x')), last], 'x')).toThrow(
      '"x" is a task of several running runs: name one by its id: task_2 (b), task_25 (d)',
    );
    expect(() => findWord([going('run_2', 'b', task('task_2', 'scout')), last], 'scuot')).toThrow('did you mean scout');
  });

  it('may be a unique beginning, in the newest run first, or run/task [CLI-19]', () => {
    const several = [
      run('run_1', 'docs', task('task_1', 'write-pages'), task('task_2', 'check')),
      run('run_2', 'fix-and-1-more', task('task_3', 'fix-parser'), task('task_4', 'test')),
    ];
    expect(findWord(several, 'te')).toEqual({ runId: 'run_2', taskId: 'task_4' });
    expect(findWord(several, 'fix-p').taskId).toBe('task_3');
    expect(findWord(several, 'fix-a')).toEqual({ runId: 'run_2', taskId: null });
    expect(findWord(several, 'wri').taskId).toBe('task_1');
    expect(findWord(several, 'docs/ch').taskId).toBe('task_2');
    expect(findWord(several, 'run_1/check').taskId).toBe('task_2');
    expect(() => findWord(several, 'fix')).toThrow(
      '"fix" is the beginning of several names (fix-and-1-more, fix-parser)',
    );
  });

  it('with several meanings is refused with all of them', () => {
    expect(() => findWord(runs, 'task_02')).toThrow('"task_02" is ambiguous (task_02b, task_02c)');
  });

  it('without a meaning is refused with similar names', () => {
    expect(() => findWord(runs, 'wriet')).toThrow('did you mean write');
    expect(() => findWord(runs, 'zzzzzz')).toThrow('ps --all');
    expect(() => findWord([], 'x')).toThrow('there is no run or task "x"');
  });
});
