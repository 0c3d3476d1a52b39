// What tasks give, from the outside: kept, listed, shown and taken out; and an integrated line followed back to all it was made of.

import { createHash } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ArtifactList, LineageView } from '../../../src/wire/artifact-views.ts';
import type { World } from '../daemon/daemon-world.ts';
import { shareDaemon } from '../world/shared-world.ts';

const openWorld = shareDaemon();
let world: World;
beforeEach(() => {
  world = openWorld();
});
afterEach(() => world.close());

const finding = {
  what: 'the greeting is missing',
  where: { file: 'README.md', line: 1 },
  severity: 'low',
  evidence: 'x'.repeat(20_000),
};

/** A finder whose finding another one mends. */
async function mended(): Promise<void> {
  const steps = (name: string, list: readonly object[]): string => `      script: '${JSON.stringify(list)}' # ${name}`;
  const plan = [
    'name: mend',
    'defaults: { harness: scripted }',
    'tasks:',
    '  find:',
    '    prompt: Look for what is missing.',
    '    output: finding',
    '    settings:',
    steps('find', [{ output: finding }]),
    '  fix:',
    '    prompt: "Mend ${{ tasks.find.output }}, which is ${{ tasks.find.artifact }}."',
    '    needs: find',
    '    checks: [{ name: greets, run: grep -q hello greeting.txt }]',
    '    settings:',
    steps('fix', [{ write: { path: 'greeting.txt', text: 'hello\nworld\n' } }, { commit: 'Greet' }]),
  ];
  writeFileSync(join(world.repo, 'mend.plan.yaml'), plan.join('\n'));
  const ended = await world.sb(['run', 'mend.plan.yaml']);
  expect(ended.code, `${ended.stdout}${ended.stderr}`).toBe(0);
}

async function listed(...args: string[]): Promise<ArtifactList['artifacts']> {
  const { code, stdout, stderr } = await world.sb(['artifacts', 'mend', '--json', ...args]);
  expect(code, stderr).toBe(0);
  return (JSON.parse(stdout) as ArtifactList).artifacts;
}

it("tasks' artifacts are listed with their stamp, shown, and exported byte for byte [ART-4] [ART-8] [ART-9]", async () => {
  await mended();
  const [found, report, files] = await listed();
  expect([found, report, files].map((each) => [each?.task, each?.kind])).toEqual([
    ['find', 'finding'],
    ['fix', 'report'],
    ['fix', 'file-set'],
  ]);
  if (found === undefined || files === undefined) throw new Error('they are there');
  expect(found.inputs).toEqual([]);
  expect(report).toMatchObject({ inputs: [found.id], commit: files.commit, agentId: expect.stringMatching(/^agent_/) });
  expect(await listed('--task', 'fix', '--kind', 'file-set')).toEqual([files]);

  const table = (await world.sb(['artifacts'])).stdout;
  expect(table).toMatch(/^ID +KIND +TASK +ATTEMPT +BYTES +WHEN$/m);
  expect(table).toContain(`${found.id.slice('artifact_'.length, 'artifact_'.length + 12)}  finding   find`);

  for (const word of ['find', found.id, found.id.slice(0, 20), found.id.slice(9, 21)]) {
    expect(JSON.parse((await world.sb(['artifact', 'show', word])).stdout)).toEqual(finding);
  }
  expect((await world.sb(['artifact', 'show', 'fix'])).stdout).toContain('fix\n\nThe script is done.\n');
  const set = JSON.parse((await world.sb(['artifact', 'show', 'fix', '--kind', 'file-set'])).stdout) as object;
  expect(set).toMatchObject({ commit: files.commit, files: [{ path: 'greeting.txt', status: 'added' }] });

  const target = world.path('out.json');
  expect((await world.sb(['artifact', 'export', 'find', target])).code).toBe(0);
  const bytes = readFileSync(target);
  expect(`artifact_${createHash('sha256').update(bytes).digest('hex')}`).toBe(found.id);
  expect(bytes.length).toBe(found.bytes);
  const again = await world.sb(['artifact', 'export', 'fix', target]);
  expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('exists already')]);
  expect(readFileSync(target)).toEqual(bytes);
  expect((await world.sb(['artifact', 'export', 'fix', target, '--force'])).code).toBe(0);
  expect(readFileSync(target, 'utf8')).toContain('"kind":"report"');
  expect((await world.sb(['artifact', 'export', 'find', '-'])).stdout).toBe(bytes.toString());
});

it('a missing or damaged artifact is reported as such [ART-3] [ART-9]', async () => {
  await mended();
  const told = async (...args: string[]) => {
    const { code, stderr } = await world.sb(args);
    return [code, stderr] as const;
  };
  expect(await told('artifact', 'show', 'nobody')).toEqual([
    2,
    expect.stringContaining('there is no artifact or task'),
  ]);
  expect(await told('artifact', 'show', 'mend')).toEqual([2, expect.stringContaining('is a run')]);
  expect(await told('artifacts', 'mend', '--task', 'fixx')).toEqual([2, expect.stringContaining('did you mean fix')]);
  const verdict = await told('artifact', 'show', 'fix', '--kind', 'verdict');
  expect(verdict).toEqual([2, expect.stringContaining('task "fix" has no stored verdict')]);
  const [found] = await listed();
  const hex = (found?.id ?? '').slice('artifact_'.length);
  const path = join(world.home, 'artifacts', hex.slice(0, 2), `${hex}.json`);
  expect(statSync(path).mode & 0o777).toBe(0o400);
  chmodSync(path, 0o600);
  writeFileSync(path, readFileSync(path, 'utf8').replace('low', 'high'));
  expect(await told('artifact', 'show', 'find')).toEqual([1, expect.stringContaining('is damaged')]);
});

it('an integrated line leads back to its prompt and everything it was made of, in the run and in your repository [WHY-1] [WHY-2]', async () => {
  await mended();
  const [found] = await listed();
  const onRun = await world.sb(['why', 'greeting.txt:2', '--run', 'mend', '--json']);
  expect(onRun.code, onRun.stderr).toBe(0);
  const { lineage, blamed, commit } = JSON.parse(onRun.stdout) as {
    lineage: LineageView;
    blamed: { text: string; summary: string };
    commit: string;
  };
  expect(blamed).toMatchObject({ text: 'world', summary: 'Greet' });
  expect(lineage).toMatchObject({
    run: { name: 'mend' },
    task: { name: 'fix' },
    attempt: 1,
    harness: 'scripted',
    integrated: [commit],
    inputs: [{ depth: 1, task: { name: 'find' }, prompt: 'Look for what is missing.', artifacts: [{ id: found?.id }] }],
  });
  expect(lineage.checks).toContainEqual(expect.objectContaining({ check: 'greets', passed: true }));
  expect(lineage.prompt).toContain(`the whole is in inputs/find.json, which is ${found?.id}]`);
  expect(lineage.prompt).toContain(`which is ${found?.id}.`);
  for (const file of lineage.transcripts) expect(existsSync(file)).toBe(true);

  await world.sb(['take', 'mend', '--branch', 'mended']);
  world.git('commit', '--allow-empty', '-q', '-m', 'Meanwhile');
  world.git('merge', '-q', '--no-ff', '--no-edit', 'mended');
  const here = await world.sb(['why', 'greeting.txt:2', '--json']);
  expect((JSON.parse(here.stdout) as { lineage: LineageView }).lineage).toEqual(lineage);
  const { stdout } = await world.sb(['why', 'greeting.txt:2']);
  expect(stdout).toMatch(/^task +fix \(task_/m);
  expect(stdout).toMatch(/^integrated as +[0-9a-f]{12}$/m);
  expect(stdout).toMatch(/^inputs:\n {2}find: finding [0-9a-f]{12} \(scripted/m);
  expect(stdout).toContain('prompt: Look for what is missing.');
});

it('a line that no integration made is reported as such, whatever its message says [WHY-3]', async () => {
  await mended();
  const why = async (word: string, ...more: string[]) => {
    const { code, stderr } = await world.sb(['why', word, ...more]);
    return [code, stderr] as const;
  };
  expect(await why('README.md:1')).toEqual([
    1,
    expect.stringMatching(/README\.md:1 does not come from Signalbox: .*"Start"/),
  ]);
  expect(await why('README.md:1', '--run', 'mend')).toEqual([
    1,
    expect.stringContaining('does not come from Signalbox'),
  ]);
  const [, report] = await listed();
  writeFileSync(join(world.repo, 'forged.txt'), 'mine\n');
  world.git('add', 'forged.txt');
  world.git('commit', '-q', '-m', 'Forged', '-m', `Signalbox-Attempt: ${report?.attemptId}`);
  expect(await why('forged.txt:1')).toEqual([1, expect.stringContaining('the journal has no such commit')]);
  expect(await why('README.md:99')).toEqual([1, expect.stringContaining('git blame failed')]);
  expect(await why('README.md')).toEqual([2, expect.stringContaining('is not a line')]);
  expect(await why('README.md:1', '--rev', 'nowhere')).toEqual([1, expect.stringContaining('no commit "nowhere"')]);
});
