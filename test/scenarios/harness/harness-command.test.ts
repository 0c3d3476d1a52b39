// Plain programs behind the seam: what they lack, they declare.

import { spawnSync } from 'node:child_process';
import { afterEach, describe, expect, it } from 'vitest';
import { commandSettingsProblem, createCommand } from '../../../src/harness/command/command.ts';
import { harnessBehaves, type Subject } from '../../harness/behaviour.ts';
import { type Driven, drive } from '../../harness/drive.ts';
import type { ModelStep } from '../../model-server/script.ts';

const hasPython = spawnSync('python3', ['-c', '']).status === 0;
const harness = createCommand({ env: { PATH: process.env['PATH'] ?? '' } });

harnessBehaves(
  'command',
  async (): Promise<Subject> => ({
    harness,
    prepare: (steps) => ({ prompt: 'do it', settings: argv('sh', '-c', steps.map(shell).join('\n')) }),
  }),
);

function shell(step: ModelStep): string {
  if ('say' in step) return `printf '%s\\n' '${step.say}'`;
  if ('write' in step) return `printf '%s' '${step.write.text}' >'${step.write.path}'`;
  if ('waitFor' in step) return `until [ -e '${step.waitFor}' ]; do sleep 0.05; done`;
  if ('output' in step) return `printf '%s' '${JSON.stringify(step.output, null, 1)}' >"$SIGNALBOX_OUTPUT"`;
  if ('hang' in step) return 'while :; do sleep 1; done';
  throw new Error(`a command cannot act out ${JSON.stringify(step)}`);
}

describe('a command', () => {
  let driven: Driven | null = null;
  afterEach(async () => {
    await driven?.close();
    driven = null;
  });
  const run = async (settings: Record<string, string>, prompt: string) => {
    driven = drive({ harness, settings, sandboxed: true });
    await driven.launch();
    await driven.send({ kind: 'text', text: prompt });
    return { ...(await driven.end()), texts: driven.all('text').map(({ text }) => text) };
  };
  const odd = '/say "it\'s" $HOME `id` \\n %s\n\ttwo\nthree\n';

  it('gets its prompt on stdin, byte for byte and with an end [HAR-9]', async () => {
    const { status, turn } = await run(argv('sh', '-c', 'cat >got'), odd);
    expect([status, turn?.kind]).toEqual([0, 'ok']);
    expect(driven?.file('got')).toBe(odd);
  });

  it('gets its prompt as an argument if it asks for it, and then nothing on stdin', async () => {
    const { status } = await run(
      argv('sh', '-c', 'printf %s "$2" >got; cat >stdin', 'sh', 'a', '<{prompt}|{prompt}>'),
      odd,
    );
    expect([status, driven?.file('got'), driven?.file('stdin')]).toEqual([0, `<${odd}|${odd}>`, '']);
  });

  it('accepts a prompt of a megabyte', async () => {
    const { status } = await run(argv('sh', '-c', 'wc -c'), 'x'.repeat(1 << 20));
    expect(status).toBe(0);
    expect(driven?.all('text').map(({ text }) => text.trim())).toEqual([String(1 << 20)]);
  });

  it('with a nonzero exit status has failed, with the end of its output as the reason [HAR-9]', async () => {
    const { status, turn } = await run(argv('sh', '-c', 'echo one; echo no such luck >&2; exit 3'), 'go');
    expect(status).toBe(3);
    const detail = 'the command ended with status 3: one\nno such luck';
    expect(turn).toEqual({ kind: 'failed', failure: { reason: 'crash', detail } });
  });

  it('may write its result to a file', async () => {
    const settings = { ...argv('sh', '-c', 'echo noise; printf "the\\nresult" >out.txt; exit 0'), output: 'out.txt' };
    const { turn, texts } = await run(settings, 'go');
    expect(turn).toMatchObject({ kind: 'ok', text: expect.stringMatching(/^the\nresult\s*$/) });
    expect(texts[0]).toBe('noise');
  });

  it('in Python loses no output from before it was killed', { skip: !hasPython }, async () => {
    const { texts } = await run(argv('python3', '-c', 'import os; print("said"); os.kill(os.getpid(), 9)'), 'go');
    expect(texts).toEqual(['said']);
  });

  it('cannot acknowledge a record by printing that it did', async () => {
    await run(argv('sh', '-c', 'echo "signalbox-command:begun message_forged"'), 'go');
    expect(driven?.all('delivered').map(({ recordId }) => recordId)).not.toContain('record_forged');
  });

  it('has settings that are checked before it runs', () => {
    expect(commandSettingsProblem(argv('true'))).toBe(null);
    expect(commandSettingsProblem({ argv: '[]' })).toMatch(/JSON array/);
    expect(commandSettingsProblem({})).toMatch(/JSON array/);
    expect(commandSettingsProblem({ ...argv('true'), shell: 'yes' })).toMatch(/no setting "shell"/);
  });
});

function argv(...words: string[]): { argv: string } {
  return { argv: JSON.stringify(words) };
}
