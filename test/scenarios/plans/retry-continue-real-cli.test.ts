// The real CLI goes on with its session in another workspace: it looks for a session by the directory that it is started in.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { model, onNewestCli } from '../spending/limits-real-cli.ts';
import { recordOf } from '../spending/limits-world.ts';

onNewestCli('a real agent', (begin) => {
  it('real CLI: a retry continues in the same session, twice, on the existing files [RETRY-2] [RETRY-3]', async (context) => {
    const { world, prompt, asked } = begin(context);
    const making = (word: string): string =>
      prompt([{ write: { path: 'made.txt', text: `${word}\n` } }, { say: 'Made.' }]);
    const text = making('once');
    const check = `case "$(cat made.txt)" in once) ${saying(making('twice'))};; twice) ${saying(making('by hand'))};; esac`;
    const allowed = JSON.stringify({ permissions: { allow: ['Write', 'Bash'] } });
    const settings = ['--harness', 'claude', '--model', model, '--set', `cliSettings=${allowed}`, '--sandbox', 'none'];
    const retry = ['--retries', '2', '--retry-how', 'continue', '--check', check];
    const ended = await world.sb(['run', text, ...settings, ...retry]);
    expect(ended.code, ended.stdout + ended.stderr).toBe(0);
    const { run, task } = await world.only();
    expect(task.attempts).toBe(3);
    const record = await recordOf(world, run.id);
    expect(record.filter((event) => event.type === 'agent.session')).toHaveLength(1);
    expect(record.filter((event) => event.type === 'agent.sessionLost')).toEqual([]);
    const said = asked().at(-1)?.conversation ?? '';
    expect(said.split(text)).toHaveLength(2);
    expect(said.split('Your work on this task has not succeeded yet')).toHaveLength(3);
    expect(world.git('--git-dir', task.attempt?.gitDir ?? '', 'show', `${run.branch?.head}:made.txt`)).toBe('by hand');
    // One file holds the session, where the last process looked for it.
    const agents = join(world.home, 'agents');
    const projects = join(agents, readdirSync(agents)[0] ?? '', 'claude', 'projects');
    const sessions = readdirSync(projects).flatMap((name) =>
      readdirSync(join(projects, name)).filter((file) => file.endsWith('.jsonl')),
    );
    expect(sessions).toHaveLength(1);
  });
});

/** A check that fails with these words, which make the model act them out; in the command itself they mean nothing. */
function saying(prompt: string): string {
  const words = prompt.split(' ').slice(0, -1).join(' ');
  const marker = prompt.split(' ').at(-1) ?? '';
  return `printf '%s %s%s\\n' '${words}' '${marker.slice(0, 3)}' '${marker.slice(3)}'; exit 1`;
}
