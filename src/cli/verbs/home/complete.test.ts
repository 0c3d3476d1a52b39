import { describe, expect, it } from 'vitest';
import type { RunView } from '../../../wire/views.ts';
import { buildProgram } from '../../options/verbs.ts';
import { candidates } from './complete.ts';

const program = buildProgram('1', () => async () => undefined);
const run = (id: string, name: string, ...tasks: string[]): RunView =>
  ({
    id,
    name,
    state: 'running',
    tasks: tasks.map((task) => ({ id: `task_${task}`, name: task })),
  }) as unknown as RunView;
const runs = [run('run_1', 'docs', 'old'), run('run_2', 'docs', 'older'), run('run_3', 'fix', 'write', 'test')];

const roles = ['judge', 'judge-of-style', 'verifier'].map((word) => ({ word, about: '' }));

async function words(...typed: string[]): Promise<string[]> {
  return (
    await candidates(
      program,
      typed,
      async () => runs,
      async () => roles,
      ['claude', 'command', 'scripted'],
    )
  ).map(({ word }) => word);
}

describe('completion', () => {
  it('offers verbs, without internal ones', async () => {
    expect(await words('st')).toEqual(['stop', 'status']);
    expect(await words('')).not.toContain('daemon');
    expect(await words('c')).toEqual(['config', 'completion']);
  });

  it('offers the options of the verb, and known values', async () => {
    expect(await words('ps', '--')).toEqual(['--all', '--everywhere', '--page', '--watch', '--json']);
    expect(await words('run', '--harness', 'c')).toEqual(['claude', 'command']);
    expect(await words('usage', '--by', 'r')).toEqual(['run', 'role']);
    expect(await words('run', '--script', '')).toEqual([]);
    expect(await words('completion', '')).toEqual(['bash', 'zsh', 'fish']);
  });

  it('offers tasks of the newest run and names of runs, and ids where an id was begun', async () => {
    expect(await words('attach', '')).toEqual(['write', 'test', 'fix']);
    expect(await words('resume', '')).toEqual(['fix']);
    expect(await words('events', '-f', 'f')).toEqual(['fix']);
    expect(await words('resume', 'run_')).toEqual(['run_1', 'run_2', 'run_3']);
    expect(await words('take', '--branch', 'x', 'w')).toEqual(['write']);
    expect(await words('take', 'write', '')).toEqual([]);
  });

  it('offers roles [ROLE-6]', async () => {
    expect(await words('roles', 'j')).toEqual(['judge', 'judge-of-style']);
    expect(await words('roles', 'judge', '')).toEqual([]);
  });

  it('asks no daemon where no name is expected', async () => {
    const never = async (): Promise<never> => {
      throw new Error('asked');
    };
    expect(await candidates(program, ['run', 'x', ''], never, never, [])).toEqual([]);
    expect(await candidates(program, ['nonsense', ''], never, never, [])).toEqual([]);
  });
});
