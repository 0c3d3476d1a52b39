// Plans on the real Claude Code CLI: typed outputs, corrections, references, and the repository's own words for agents.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { CreateRunInput } from '../../../src/wire/request-schemas.ts';
import { model, onNewestCli } from '../spending/limits-real-cli.ts';
import { recordOf, runEnd, submit, taskNamed } from '../spending/limits-world.ts';

const bug = {
  type: 'object',
  properties: { file: { type: 'string' }, line: { type: 'integer' } },
  required: ['file', 'line'],
};

const claude = (name: string, more: Partial<CreateRunInput['tasks'][number]>): CreateRunInput['tasks'][number] => ({
  name,
  prompt: ' ',
  harness: 'claude',
  settings: { model },
  ...more,
});

onNewestCli('a plan', (begin) => {
  it('real CLI: gives an output by its schema, which the next agent gets [OUT-1] [OUT-2]', async (context) => {
    const { world, prompt, asked } = begin(context);
    await world.up();
    const { id } = await submit(world, [
      claude('find', {
        prompt: prompt([{ run: 'ls' }, { output: { file: 'a.ts', line: 7 } }]),
        output: bug,
        keeps: false,
      }),
      claude('fix', {
        needs: ['find'],
        prompt: [
          prompt([{ write: { path: 'fixed.txt', text: 'yes\n' } }, { say: 'Fixed.' }]),
          ' for line ',
          { ref: ['tasks', 'find', 'output', 'line'] },
          ' of ',
          { ref: ['tasks', 'find', 'output', 'file'] },
        ],
      }),
    ]);
    const run = await runEnd(world, id);
    expect(run.outcome, JSON.stringify(run.tasks.map(({ outcome }) => outcome))).toBe('succeeded');
    expect(taskNamed(run, 'find').output).toEqual({ file: 'a.ts', line: 7 });
    expect(
      asked().some(({ conversation }) =>
        /for line 7 of <task-output from=.{2}find.{2}>a\.ts<\/task-output>/.test(conversation),
      ),
    ).toBe(true);
  });

  it('real CLI: a missing output is asked for and then fails the task [OUT-8]', async (context) => {
    const { world, prompt } = begin(context);
    await world.up();
    const { id } = await submit(world, [claude('find', { prompt: prompt([{ say: 'All is well!' }]), output: bug })]);
    const run = await runEnd(world, id);
    expect(taskNamed(run, 'find').outcome).toMatchObject({ kind: 'failed', failure: { reason: 'invalid-output' } });
    const refused = (await recordOf(world, id)).filter(({ type }) => type === 'output.refused');
    expect(refused).toHaveLength(3);
  });

  it("real CLI: gets the repository's AGENTS.md as text [WS-19]", async (context) => {
    const { world, prompt, asked } = begin(context);
    writeFileSync(join(world.repo, 'AGENTS.md'), 'Never use tabs in this marvellous repository.\n');
    world.git('add', '.');
    world.git('commit', '--quiet', '-m', 'Words for agents');
    const ended = await world.sb(['run', prompt([{ say: 'I see.' }]), '--harness', 'claude', '--model', model]);
    expect(ended.code, ended.stderr).toBe(0);
    expect(asked().some(({ body }) => JSON.stringify(body).includes('in this marvellous repository'))).toBe(true);
  });
});
