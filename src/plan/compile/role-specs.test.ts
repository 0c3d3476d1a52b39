import { expect, it } from 'vitest';
import { rolesMax } from '../../model/core/child-limits.ts';
import { createRun } from '../../wire/request-schemas.ts';
import type { Role, Roles } from '../role.ts';
import { roleSpecs } from './role-specs.ts';

const role = (name: string, more: Partial<Role> = {}): Role => {
  return { name, description: '', tools: null, model: null, prompt: 'Do it.', file: '', ...more };
};
const named = (...roles: Role[]): Roles => new Map(roles.map((each) => [each.name, each]));
const tasks = [{ name: 'a', prompt: 'x', harness: 'claude' }];

it('a run is given the roles with the settings that a task of a plan gets from them [CHILD-82]', () => {
  const strict = role('strict', { tools: ['Read', 'Grep'], deniedTools: ['Bash(git push:*)'], model: 'small' });
  expect(roleSpecs(named(strict, role('plain')), { tasks })).toEqual({
    roles: {
      strict: {
        prompt: 'Do it.',
        settings: { model: 'small', builtInTools: 'Read,Grep', disallowedTools: 'Bash(git push:*)' },
      },
      plain: { prompt: 'Do it.', settings: {} },
    },
    leftOut: [],
  });
});

it('a role sets what happens when the context window of its agent fills up [CHILD-82, HAND-15]', () => {
  const careful = role('careful', { context: 'handoff', contextThreshold: 60 });
  const { roles } = roleSpecs(named(careful, role('late', { contextThreshold: 95 })), { tasks });
  expect(roles['careful']?.context).toEqual({ how: 'handoff', percent: 60 });
  expect(roles['late']?.context).toEqual({ how: 'compact', percent: 95 });
  const asked = { id: `run_${'0'.repeat(26)}`, name: 'x', repo: { path: '/x' }, tasks };
  expect(createRun.safeParse({ ...asked, roles }).success).toBe(true);
});

it('roles are given only where an agent could spawn another [CHILD-82]', () => {
  const roles = named(role('plain'));
  const given = (kind: 'work' | 'gate' | 'matrix', harness: string, depthMax = 4): string[] => {
    return Object.keys(
      roleSpecs(roles, { tasks: [{ ...tasks[0], kind, harness } as never], children: { depthMax } }).roles,
    );
  };
  expect([given('work', 'claude'), given('matrix', 'scripted')]).toEqual([['plain'], ['plain']]);
  expect([given('work', 'command'), given('gate', 'scripted'), given('work', 'claude', 1)]).toEqual([[], [], []]);
});

it("the resolver's role is always given, before all others [INT-19]", () => {
  const long = ['a', 'b', 'c', 'd'].map((name) => role(name, { prompt: 'x'.repeat(99_000) }));
  const resolver = role('resolver', { prompt: 'y'.repeat(99_500) });
  const { roles, leftOut } = roleSpecs(named(...long, resolver), { tasks });
  expect([Object.keys(roles)[0], leftOut]).toEqual(['resolver', ['d']]);
  expect(Object.keys(roleSpecs(named(...long, resolver), { tasks, children: { depthMax: 1 } }).roles)).toEqual([
    'resolver',
  ]);
});

it('if roles are too long together, the longest are left out and named [CHILD-82]', () => {
  const long = ['a', 'b', 'c', 'd', 'e'].map((name, i) => role(name, { prompt: 'x'.repeat(99_000 - 1_000 * i) }));
  const { roles, leftOut } = roleSpecs(named(...long, role('short')), { tasks });
  expect([Object.keys(roles).sort(), leftOut]).toEqual([['b', 'c', 'd', 'e', 'short'], ['a']]);
  const asked = { id: `run_${'0'.repeat(26)}`, name: 'x', repo: { path: '/x' }, tasks };
  expect(createRun.safeParse({ ...asked, roles }).success).toBe(true);
  const more = { ...roles, a: { prompt: 'x'.repeat(99_000) } };
  expect(JSON.stringify(more).length).toBeGreaterThan(rolesMax);
  expect(createRun.safeParse({ ...asked, roles: more }).success).toBe(false);
});
