import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { defaultScript, parseScript, ScriptError } from './script.ts';
import { askable, verbs } from './step-list.ts';

const parsed = (...steps: unknown[]) => parseScript(JSON.stringify(steps));

/** One example of each step. */
const samples: Readonly<Record<string, readonly unknown[]>> = {
  say: ['a', { text: 'a', repeat: 3 }, { bytes: 512 }],
  write: [
    { path: 'p', text: 't' },
    { path: 'p', bytes: 7 },
  ],
  append: [{ path: 'p', text: 't' }],
  run: ['true'],
  commit: ['message'],
  tool: [{ name: 'Read' }, { name: 'Read', input: { a: 1 }, result: [1], isError: true }],
  call: [
    { tool: 'mcp__signalbox__ask', input: {} },
    { tool: 'mcp__signalbox__ask', repeat: 3 },
  ],
  keep: [{ path: 'p' }, { path: 'p', dieOf: 20 }],
  output: [null, 'a', { verdict: 'pass' }],
  outputOf: ['echo 1'],
  usage: [{ input_tokens: 1, cost_usd: null }, { cost_usd: 0.5 }, {}],
  context: [1000],
  wait: [0],
  waitFor: ['p'],
  waitSignal: ['SIGUSR2'],
  listen: [true],
  refuse: [{ status: 429, times: 2 }, { status: null }],
  rateLimit: [{}, { rejected: false, resetsAt: 5 }],
  compact: [{}, { before: 5, after: 1, trigger: 'manual' }],
  background: ['sleep 1'],
  result: ['a', { is_error: true }],
  turn: ['a', { text: 'line {n}', repeat: 3 }],
  fail: ['auth'],
  stop: ['tool_use'],
  exit: [3],
  crash: ['SIGKILL'],
  hang: [true, 'tool', 'midway'],
  deaf: [true],
  linger: [true, 50],
  noTurn: [true],
  forget: [true],
  flood: [{}, { to: 'stderr', mb: 0.5, mbPerSecond: 2, lineBytes: 10 }],
  grow: [{ mb: 5 }],
  leak: [{ how: 'setsid' }, { how: 'doubleFork', count: 2, seconds: 5, pidFile: 'p', holdStdout: true }],
  raw: ['line', { line: { type: 'x' } }, { base64: '/w==', newline: false }],
  stderr: ['a'],
};

it('each step is read, in each of its forms', () => {
  expect(Object.keys(samples)).toEqual(Object.keys(verbs));
  for (const [kind, forms] of Object.entries(samples)) {
    for (const form of forms) expect(parsed({ [kind]: form })[0]).toMatchObject({ kind, once: false, ask: false });
  }
});

it('steps that can ask are marked by ask, and every step can be marked as once', () => {
  for (const [kind, [form]] of Object.entries(samples)) {
    expect(parsed({ [kind]: form, once: true })[0]).toMatchObject({ kind, once: true });
    const asked = () => parsed({ [kind]: form, ask: true });
    if (askable.some((each) => each === kind)) expect(asked()[0]).toMatchObject({ kind, ask: true });
    else
      expect(asked).toThrow(
        `"ask" goes with write, append, run, commit, tool, call, outputOf, background, not with "${kind}"`,
      );
  }
});

it('the guide names every step', () => {
  const guide = readFileSync(new URL('../../../../docs/scripts.md', import.meta.url), 'utf8');
  expect(Object.keys(verbs).filter((verb) => !guide.includes(`\`{"${verb}": `))).toEqual([]);
});

it('an error is reported with the number of the step and what would be right', () => {
  const wrong: readonly (readonly [string, string])[] = [
    ['{', 'the script is not JSON'],
    ['{}', 'a script is an array of steps'],
    ['[7]', 'step 1 of the script: a step is an object with one key'],
    [
      '[{"say":"a"},{"wait":-1}]',
      'step 2 of the script: "wait" takes milliseconds, a whole number from 0 to 2147483647',
    ],
    ['[{"say":"a","wait":1}]', 'one key'],
    ['[{"once":true}]', 'one key'],
    ['[{"say":"a","once":1}]', 'step 1 of the script: "once" takes true or false'],
    ['[{"constructor":1}]', '"constructor" is not one of say, write'],
    ['[{"write":{"path":"","text":""}}]', '"write" takes {path, text} or {path, bytes}'],
    ['[{"say":{"bytes":3}}]', '"say" takes a text, {text, repeat?} or {bytes} (from 512'],
    ['[{"refuse":{"status":200}}]', '"refuse.status" takes an HTTP status from 400 to 599, or null'],
    ['[{"refuse":{"times":2}}]', '"refuse" lacks "status": it takes {status, times?, retriesMax?, delayMs?, message?}'],
    ['[{"refuse":{"status":429,"tims":2}}]', '"refuse" has no "tims"'],
    ['[{"leak":{"how":"magic"}}]', '"leak.how" takes one of "background", "nohup"'],
    ['[{"crash":"SIGCHLD"}]', '"crash" takes one of "SIGABRT"'],
    ['[{"call":{"tool":"Bash"}}]', '"call.tool" takes a tool as mcp__<server>__<name>'],
    ['[{"exit":256}]', '"exit" takes an exit code, a whole number from 0 to 255'],
    ['[{"say":"a"},{"noTurn":true}]', 'step 2 of the script: "noTurn" can only be the first step'],
    ['[{"usage":{"cost_usd":-1}}]', '"usage.cost_usd" takes dollars, or null'],
  ];
  for (const [script, message] of wrong) {
    expect(() => parseScript(script), script).toThrow(ScriptError);
    expect(() => parseScript(script), script).toThrow(message);
  }
});

it('without a script a note is written under a name made from the prompt', () => {
  const write = defaultScript('Fix the  Parser, please!').find(({ kind }) => kind === 'write');
  expect(write?.given).toMatchObject({ path: 'signalbox-notes/fix-the-parser-please.md' });
});

it('a result of many lines is written out when the script is read', () => {
  expect(parsed({ turn: { text: '{n} of many', repeat: 2 } })[0]).toMatchObject({ given: '1 of many\n2 of many' });
});
