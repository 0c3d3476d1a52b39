import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { defaultScript, parseScript } from './script.ts';

it('each step is read', () => {
  const text = JSON.stringify([
    { say: 'a' },
    { write: { path: 'p', text: 't' } },
    { append: { path: 'p', text: 't' } },
    { run: 'true' },
    { wait: 5 },
    { waitFor: 'p' },
    { usage: { input_tokens: 1, cost_usd: null } },
    { fail: 'auth' },
    { exit: 3 },
    { crash: 'SIGKILL' },
    { hang: true },
    { deaf: true },
  ]);
  const kinds = ['say', 'write', 'append', 'run', 'wait', 'waitFor', 'usage', 'fail', 'exit', 'crash', 'hang', 'deaf'];
  expect(parseScript(text).map(({ kind }) => kind)).toEqual(kinds);
});

it('the example of the guide is a script', () => {
  const guide = readFileSync(new URL('../../../docs/scripts.md', import.meta.url), 'utf8');
  const example = /```json\n(.*?)```/s.exec(guide)?.[1] ?? '';
  expect(parseScript(example)).toHaveLength(5);
});

it('what is wrong is said, with the number of the step', () => {
  expect(() => parseScript('{')).toThrow('the script is not JSON');
  expect(() => parseScript('{}')).toThrow('a script is an array of steps');
  expect(() => parseScript('[{"say":"a"},{"wait":-1}]')).toThrow('step 2 of the script: "wait" takes milliseconds');
  expect(() => parseScript('[{"say":"a","wait":1}]')).toThrow('one key');
  expect(() => parseScript('[{"constructor":1}]')).toThrow('is not one of');
});

it('without a script a note is left under a name made of the prompt', () => {
  const write = defaultScript('Fix the  Parser, please!').find(({ kind }) => kind === 'write');
  expect(write).toMatchObject({ path: 'signalbox-notes/fix-the-parser-please.md' });
});
