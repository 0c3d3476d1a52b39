// A session that a person began by hand in the real Claude Code goes on as a task.

import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import type { World } from '../daemon/daemon-world.ts';
import { model, onRealCli } from '../spending/limits-real-cli.ts';

/** The model is in this process: it must not be blocked. */
async function byHand(world: World, prompt: string): Promise<{ session: string; path: string }> {
  const args = ['-p', prompt, '--model', model, '--permission-mode', 'acceptEdits'];
  const running = promisify(execFile)(world.env['SIGNALBOX_CLAUDE'] ?? '', args, { cwd: world.repo, env: world.env });
  running.child.stdin?.end();
  await running;
  const folder = world.path('.claude/projects');
  const [name = ''] = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((each) =>
    each.endsWith('.jsonl'),
  );
  return { session: name.replace(/^.*\/|\.jsonl$/g, ''), path: join(folder, name) };
}

onRealCli('a session begun by hand', (begin) => {
  it('real CLI: goes on as a task, from the files as they are; the own session stays [ADOPT-1] [ADOPT-2]', async (context) => {
    const { world, prompt, asked, act } = begin(context);
    const { session, path } = await byHand(world, prompt([{ say: 'REMEMBERED: the door is green.' }]));
    const before = readFileSync(path, 'utf8');
    writeFileSync(join(world.repo, 'begun.txt'), 'half\n');
    act('carryonmarker', [
      { run: 'cat begun.txt' },
      { write: { path: 'done.txt', text: 'whole\n' } },
      { say: 'Done.' },
    ]);
    const from = asked().length;
    const ended = await world.sb(['adopt', session.slice(0, 8), 'Please carryonmarker', '--model', model]);
    expect(ended.code, ended.stderr + ended.stdout).toBe(0);
    const later = asked().slice(from);
    expect(JSON.stringify(later[0]?.body).includes('the door is green')).toBe(true);
    expect(later.some(({ conversation }) => conversation.includes('half'))).toBe(true);
    expect(readFileSync(path, 'utf8')).toBe(before);
    const { run, task } = await world.only();
    expect(run.outcome).toBe('succeeded');
    expect(task.name).toBe('adopted');
    // Three requests of the task; that of the session before it is not counted.
    const { stdout } = await world.sb(['usage', run.id, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ total: { turns: 3 } });
    const diff = await world.sb(['diff', run.id, '--stat']);
    expect(diff.stdout).toContain('done.txt');
  });
});
