// S17: lossless. Whatever an agent says can be had again to the last character, and a view that shows less says where
// the whole is.

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../until.ts';
import { mainFile, type World } from '../daemon/daemon-world.ts';
import { answerOf, saidIn } from '../spending/limits-answer.ts';
import { failureOf, recordOf, transcriptFile, transcriptOf } from '../spending/limits-world.ts';
import { shareDaemon } from '../world/shared-world.ts';

const openWorld = shareDaemon();
let world: World;

beforeEach(() => {
  world = openWorld();
});

afterEach(() => world.close());

const run = promisify(execFile);
const sha = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex');
/** Said twice, with another number each time: 151,652 characters. */
const half = `Part {n}: ${answerOf(75_826 - 'Part 1: '.length)}`;
const halves = [half.replace('{n}', '1'), half.replace('{n}', '2')] as const;
const answer = answerOf(60_000);

describe('S17: a long answer', () => {
  it('of 151,652 characters over two model messages is equal in the transcript, the logs and the logs as JSON, by SHA-256 [CLI-11]', async () => {
    expect(halves.join('')).toHaveLength(151_652);
    const ended = await world.sb(['run', 'long', '--script', world.script([{ say: { text: half, repeat: 2 } }])]);
    expect(ended.code, ended.stdout).toBe(0);
    const { task } = await world.only();
    const transcript = transcriptOf(world, task);
    expect(saidIn(transcript.toString('utf8')).map(sha)).toEqual(halves.map(sha));
    const whole = await world.sb(['logs', 'long', '--json']);
    expect(sha(whole.stdout)).toBe(sha(transcript));
    const shown = await world.sb(['logs', 'long']);
    const from = shown.stdout.indexOf(halves[0]);
    expect(sha(shown.stdout.slice(from, from + halves[0].length))).toBe(sha(halves[0]));
    expect(sha(shown.stdout.slice(from + halves[0].length + 1).slice(0, halves[1].length))).toBe(sha(halves[1]));
    // It leaves out what tools were given and gave back: it says where that is.
    expect(shown.stderr).toContain(transcriptFile(world, task));
    // Nothing of it is lost by looking at it as it comes, over the death of the daemon or not.
    await world.killDaemon();
    expect(sha((await world.sb(['logs', 'long', '--json', '-f'])).stdout)).toBe(sha(transcript));
    // The next daemon compresses it: what is named then is what is there.
    const file = transcriptFile(world, task);
    await until(() => existsSync(`${file}.gz`) && !existsSync(file), {
      timeoutMs: 20_000,
      what: 'it to be compressed',
    });
    expect((await world.sb(['logs', 'long'])).stderr).toContain(`${file}.gz`);
    expect(sha((await world.sb(['logs', 'long', '--json'])).stdout)).toBe(sha(transcript));
    expect(sha(transcriptOf(world, task))).toBe(sha(transcript));
  });

  it('is cut in the journal, which says so and where the whole is', async () => {
    const script = world.script([{ turn: answer }]);
    const ended = await world.sb(['run', 'long', '--script', script]);
    expect(ended.code, ended.stdout).toBe(0);
    const { run, task } = await world.only();
    const turn = (await recordOf(world, run.id)).find((event) => event.type === 'turn.ended')?.turn;
    expect(turn).toMatchObject({ kind: 'ok', cut: true, text: answer.slice(0, 2_000) });
    const line = (await world.sb(['events', run.id])).stdout.split('\n').find((each) => each.includes(' turn.ended '));
    expect(line).toContain(`signalbox logs ${task.id}`);
    expect((await world.sb(['logs', task.id])).stdout).toContain(`[turn ended: ${answer}]`);
  });

  it('that is an error is cut wherever it is shown, with where the whole is [CLI-11]', async () => {
    const script = world.script([{ fail: answer }]);
    const ended = await world.sb(['run', 'long', '--script', script]);
    expect(ended.code).toBe(1);
    const { run, task } = await world.only();
    expect(failureOf(task).detail.length).toBeLessThan(2_100);
    const where = `signalbox logs ${task.id}`;
    for (const view of [
      ended.stdout,
      (await world.sb(['ps', '--all'])).stdout,
      (await world.sb(['events', run.id])).stdout,
    ]) {
      const cut = view.split('\n').filter((line) => line.includes('It begins here') && !line.includes('task.added'));
      expect(cut.length).toBeGreaterThan(0);
      for (const line of cut) expect(line.slice(-200)).toContain(where);
    }
    expect(transcriptOf(world, task).toString('utf8')).toContain(JSON.stringify(`the script says: ${answer}`));
    expect((await world.sb(['logs', task.id])).stdout).toContain(`[turn failed: the script says: ${answer}]`);
  });
});

it('S17: a turn that ends on a tool call loses nothing of what was said before', async () => {
  const ended = await world.sb(['run', 'cut', '--script', world.script([{ say: answer }, { stop: 'tool_use' }])]);
  expect(ended.code, ended.stdout).toBe(0);
  const { run, task } = await world.only();
  const logs = await world.sb(['logs', task.id]);
  expect(logs.stdout).toContain(answer);
  expect(logs.stdout).toMatch(/\[uses Bash: /);
  expect(logs.stderr).toContain(transcriptFile(world, task));
  expect(saidIn((await world.sb(['logs', task.id, '--json'])).stdout).map(sha)).toEqual([sha(answer)]);
  expect((await recordOf(world, run.id)).find((event) => event.type === 'turn.ended')?.turn).toMatchObject({
    kind: 'ok',
  });
});

it('S17: a line too long to be read is shown by its place, and is whole in the transcript and the logs as JSON', async () => {
  const bytes = 65 * 2 ** 20;
  const ended = await world.sb(['run', 'wide', '--script', world.script([{ say: { bytes } }, { say: 'after it' }])]);
  expect(ended.code, ended.stdout).toBe(0);
  const { task } = await world.only();
  const file = transcriptFile(world, task);
  const shown = await world.sb(['logs', 'wide']);
  expect(shown.stdout).toContain(`a line of ${bytes} bytes`);
  expect(shown.stdout).toContain(file);
  expect(shown.stdout).toContain('after it');
  expect(sha((await world.sb(['logs', 'wide', '--json'])).stdout)).toBe(sha(transcriptOf(world, task)));
});

it("S17: bytes that are no text are in the logs as JSON as printed, and so is an earlier attempt's output", async () => {
  const odd = { raw: { base64: Buffer.from([0xfe, 0xff, 0x00, 0x41]).toString('base64') } };
  const script = world.script([odd, { say: 'first try' }, { crash: 'SIGKILL' }]);
  expect((await world.sb(['run', 'odd', '--retries', '1', '--script', script])).code).toBe(1);
  const { task } = await world.only();
  expect(task.attempts).toBe(2);
  const logs = await world.sb(['logs', 'odd']);
  // The newest attempt is shown; the files of all are named.
  const newest = transcriptFile(world, task);
  expect(logs.stderr).toContain(newest);
  expect(logs.stderr).toContain(newest.replace(/-2-1\/out$/, '-*/out'));
  expect(readFileSync(newest.replace(/-2-1\/out$/, '-1-1/out'), 'utf8')).toContain('first try');
  const { stdout } = await run('sh', ['-c', '"$0" "$1" logs odd --json | sha256sum', process.execPath, mainFile], {
    cwd: world.repo,
    env: world.env,
  });
  expect(stdout.split(' ')[0]).toBe(sha(transcriptOf(world, task)));
});
