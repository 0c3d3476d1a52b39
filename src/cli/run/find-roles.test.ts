import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findRoles, roleProblems } from './find-roles.ts';

let top = '';
beforeEach(async () => {
  top = await mkdtemp(join(tmpdir(), 'roles-'));
});
afterEach(async () => {
  await rm(top, { recursive: true, force: true });
});

async function put(file: string, text: string): Promise<void> {
  await mkdir(dirname(join(top, file)), { recursive: true });
  await writeFile(join(top, file), text);
}

const role = (name: string, prompt: string): string => `---\nname: ${name}\ndescription: x\n---\n${prompt}\n`;

describe('roles', () => {
  it('ship with Signalbox, each with a prompt of its own [ROLE-4]', async () => {
    const { roles, broken, sources } = await findRoles(null);
    const names = [
      'coordinator',
      'implementer',
      'judge',
      'planner',
      'researcher',
      'resolver',
      'synthesizer',
      'verifier',
    ];
    expect([...roles.keys()]).toEqual(names);
    expect([...new Set(sources.values())]).toEqual(['shipped']);
    expect(broken.size).toBe(0);
    // A role's prompt is paid for by every attempt of a task.
    for (const { prompt } of roles.values()) expect(prompt.length).toBeLessThan(3_500);
    // The list shows it whole.
    for (const { description } of roles.values()) expect(description.length).toBeLessThanOrEqual(100);
  });

  it('of the repository replace shipped ones, and `.signalbox/roles` goes last [ROLE-4]', async () => {
    await put('.claude/agents/verifier.md', role('verifier', 'theirs'));
    await put('.claude/agents/deep/er/reviewer.md', role('reviewer', 'theirs'));
    await put('.claude/agents/README.md', '# Our agents');
    await put('.signalbox/roles/anything.md', role('reviewer', 'ours'));
    const { roles, sources, broken } = await findRoles(top);
    expect(roles.get('verifier')).toMatchObject({ prompt: 'theirs', file: '.claude/agents/verifier.md' });
    expect(roles.get('reviewer')).toMatchObject({ prompt: 'ours', file: '.signalbox/roles/anything.md' });
    expect(sources.get('reviewer')).toBe('.signalbox/roles');
    expect(roles.get('judge')?.prompt).toContain('decide');
    expect(broken.size).toBe(0);
  });

  it('that are malformed are errors where they are used, and no other role takes their place [ROLE-5]', async () => {
    await put('.signalbox/roles/verifier.md', '---\nname: verifier\n---\nLook.');
    await put('.signalbox/roles/notes.md', 'Just notes.');
    const found = await findRoles(top);
    expect(found.roles.has('verifier')).toBe(false);
    const problems = roleProblems(found, (name) => name === 'verifier');
    expect(problems.map(({ severity, file, message }) => `${severity} ${file}: ${message}`)).toEqual([
      'warning .signalbox/roles/notes.md: there is no front matter',
      'error .signalbox/roles/verifier.md: a role needs a description',
    ]);
  });

  it('that are malformed are replaced by a good one from a later folder [ROLE-5]', async () => {
    await put('.claude/agents/a.md', '---\nname: helper\n---\nx');
    await put('.signalbox/roles/b.md', role('helper', 'good'));
    const found = await findRoles(top);
    expect(found.roles.get('helper')?.prompt).toBe('good');
    expect(found.broken.size).toBe(0);
  });

  it('that two files of one folder define are errors [ROLE-7]', async () => {
    await put('.claude/agents/a.md', role('twin', 'a'));
    await put('.claude/agents/b.md', role('twin', 'b'));
    const found = await findRoles(top);
    expect(found.roles.has('twin')).toBe(false);
    expect(found.broken.get('twin')?.[0]?.message).toBe('the role "twin" is in .claude/agents/a.md too');
  });

  it('that cannot be read are reported without blocking [ROLE-5]', async () => {
    await mkdir(join(top, '.claude/agents/folder.md'), { recursive: true });
    execFileSync('mkfifo', [join(top, '.claude/agents/pipe.md')]);
    await symlink('/nowhere', join(top, '.claude/agents/gone.md'));
    await put('.claude/agents/huge.md', role('huge', 'x'.repeat(400_000)));
    const { broken } = await findRoles(top);
    const told = [...broken].map(([name, [problem]]) => `${name}: ${problem?.message}`);
    expect(told).toEqual([
      'folder: this is no file',
      'gone: the file cannot be read: ENOENT',
      expect.stringMatching(/^huge: the file has 4000\d\d bytes, more than 400000$/),
      'pipe: this is no file',
    ]);
  });
});
