// From a plan to an integrated branch with the real CLI on a scripted model: an agent's word is not taken, it mends in its own
// session what a check found, and both works integrate as signed merges on a branch that passes.

import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { signingFiles } from '../../../src/git/signing/signing-key.ts';
import type { RunView } from '../../../src/wire/views.ts';
import type { World } from '../daemon/daemon-world.ts';
import { model, onNewestCli } from '../spending/limits-real-cli.ts';
import { recordOf, taskNamed } from '../spending/limits-world.ts';

/** Without OpenSSH git itself cannot check such a signature. */
const hasSshKeygen = spawnSync('ssh-keygen', ['-?']).error === undefined;

onNewestCli('a plan that integrates', (begin) => {
  it('real CLI: what a check finds is fixed in the same session, and both works are integrated, signed and with their origin [EVID-2] [INT-7] [BRANCH-7] [PROV-1] [PROV-4]', async (context) => {
    const { world, prompt, asked } = begin(context);
    const mend = prompt([{ write: { path: 'sum.txt', text: 'whole\n' } }, { say: 'Now it is whole.' }]);
    // What the check prints reaches the agent, and makes the model act out how it is mended.
    const [words, marker = ''] = [mend.split(' ').slice(0, -1).join(' '), mend.split(' ').at(-1)];
    const whole = `grep -q whole sum.txt || { printf '%s %s%s\\n' '${words}' '${marker.slice(0, 3)}' '${marker.slice(3)}'; exit 1; }`;
    const sum = prompt([{ write: { path: 'sum.txt', text: 'half\n' } }, { say: 'Done, and all checks pass.' }]);
    const list = prompt([{ write: { path: 'list.txt', text: 'listed\n' } }, { say: 'Listed.' }]);
    const plan = world.path('two.plan.yaml');
    const tasks = {
      sum: { prompt: sum, checks: [{ name: 'whole', run: whole }] },
      list: { prompt: list, checks: [{ name: 'listed', run: 'grep -q listed list.txt' }] },
    };
    writeFileSync(plan, JSON.stringify({ name: 'two', defaults: { harness: 'claude', model }, tasks }));
    const { code, stdout, stderr } = await world.sb(['run', plan, '--json']);
    expect(code, stderr).toBe(0);
    const run = JSON.parse(stdout) as RunView;

    const { attempts, id } = taskNamed(run, 'sum');
    expect([attempts, taskNamed(run, 'list').attempts]).toEqual([2, 1]);
    const record = await recordOf(world, run.id);
    const started = record.flatMap((event) => (event.type === 'attempt.started' && event.taskId === id ? [event] : []));
    expect(started[1]).toMatchObject({ agentId: started[0]?.agentId, continues: started[0]?.attemptId });
    const sessions = record.filter((event) => event.type === 'agent.session' && event.agentId === started[0]?.agentId);
    expect(sessions).toHaveLength(1);
    const said = asked().findLast(({ conversation }) => conversation.includes(sum))?.conversation ?? '';
    expect(said).toContain('Your work on this task has not succeeded yet. It ended with check-failed');
    expect(said).toContain(mend);
    integratedWell(world, run);
    expect((await world.sb(['verify', run.id])).code).toBe(0);
  });
});

/** The branch is two merges of ours, each with its trailers and signature, and passes both checks. */
function integratedWell(world: World, run: RunView): void {
  const bare = run.tasks[0]?.attempt?.gitDir ?? '';
  const git = (...args: string[]): string => world.git('--git-dir', bare, ...args);
  const head = run.branch?.head ?? '';
  const merges = git('rev-list', '--first-parent', `${run.repo.base}..${head}`).split('\n');
  expect(merges).toHaveLength(2);
  for (const commit of merges) {
    const [, work, ...more] = git('show', '-s', '--format=%P', commit).split(' ');
    expect(more).toEqual([]);
    const task = run.tasks.find(({ attempt }) => attempt?.commit === work);
    const trailers = git('show', '-s', '--format=%(trailers:only)', commit);
    expect(trailers).toContain(`Signalbox-Run: ${run.id} two\n`);
    expect(trailers).toContain(`Signalbox-Task: ${task?.id} ${task?.name}\n`);
    expect(trailers).toContain(`Signalbox-Attempt: ${task?.attempt?.id}\n`);
    expect(trailers).toContain('Signalbox-Harness: claude\n');
    expect(trailers).toContain(`Signalbox-Model: ${model}\n`);
    expect(trailers).toMatch(/^Signalbox-Transcript: sha256:[0-9a-f]{64}$/m);
    expect(trailers).toMatch(/^Signalbox-Checks: .*(whole|listed) passed/m);
    expect(git('cat-file', 'commit', commit)).toContain('-----BEGIN SSH SIGNATURE-----');
    if (hasSshKeygen) expect(isSigned(world, bare, commit), commit).toBe(true);
  }
  const directory = world.path('integrated');
  git('worktree', 'add', '--quiet', '--detach', directory, head);
  execFileSync('sh', ['-c', 'grep -q whole sum.txt && grep -q listed list.txt'], { cwd: directory });
}

function isSigned(world: World, bare: string, commit: string): boolean {
  const { allowedSigners } = signingFiles(join(world.home, 'signing'));
  const settings = ['-c', 'gpg.format=ssh', '-c', `gpg.ssh.allowedSignersFile=${allowedSigners}`];
  return spawnSync('git', [...settings, '--git-dir', bare, 'verify-commit', commit], { env: world.env }).status === 0;
}
