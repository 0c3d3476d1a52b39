// S17 on the real CLI: what the model said is what can be had again.

import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { answerOf, saidIn } from '../spending/limits-answer.ts';
import { model, onNewestCli } from '../spending/limits-real-cli.ts';
import { recordOf, runEnd, submit, transcriptFile, transcriptOf } from '../spending/limits-world.ts';

const sha = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex');
const answer = answerOf(151_652);
const halves = [answer.slice(0, 90_001), answer.slice(90_001)] as const;

onNewestCli('S17: lossless', (begin) => {
  it('S17: an answer of 151,652 characters over two model messages is complete', async (context) => {
    const { world, prompt } = begin(context);
    const text = prompt([{ say: halves[0] }, { run: 'ls' }, { say: halves[1] }]);
    const ended = await world.sb(['run', text, '--harness', 'claude', '--model', model]);
    expect(ended.code, ended.stdout + ended.stderr).toBe(0);
    const { run, task } = await world.only();
    const transcript = transcriptOf(world, task);
    expect(saidIn(transcript.toString('utf8')).map(sha)).toEqual(halves.map(sha));
    expect(sha((await world.sb(['logs', task.id, '--json'])).stdout)).toBe(sha(transcript));
    const shown = await world.sb(['logs', task.id]);
    for (const half of halves) expect(shown.stdout.includes(half)).toBe(true);
    expect(shown.stderr).toContain(transcriptFile(world, task));
    // The record has the beginning of the last message, says that it is cut, and where the whole is.
    const turn = (await recordOf(world, run.id)).find((event) => event.type === 'turn.ended')?.turn;
    expect(turn).toMatchObject({ kind: 'ok', cut: true, text: halves[1].slice(0, 2_000) });
    const line = (await world.sb(['events', run.id])).stdout.split('\n').find((each) => each.includes(' turn.ended '));
    expect(line).toContain(`signalbox logs ${task.id}`);
  });

  it('S17: a turn that ends on a tool call loses nothing of what was said before', async (context) => {
    const { world, prompt } = begin(context);
    await world.up();
    const output = {
      type: 'object',
      properties: { verdict: { type: 'string' } },
      required: ['verdict'],
    };
    const text = prompt([{ say: halves[0] }, { output: { verdict: 'pass' } }]);
    const { id } = await submit(world, [
      { name: 'judge', prompt: text, harness: 'claude', settings: { model }, output },
    ]);
    const [task] = (await runEnd(world, id)).tasks;
    expect(task?.outcome?.kind, JSON.stringify(task)).toBe('succeeded');
    const logs = await world.sb(['logs', 'judge', '--json']);
    expect(saidIn(logs.stdout).map(sha)).toEqual([sha(halves[0])]);
    expect(logs.stdout).toContain('"structured_output":{"verdict":"pass"}');
  });
});
