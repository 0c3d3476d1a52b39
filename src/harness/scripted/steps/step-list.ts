// All steps of the scripted agent, with the shapes of their arguments. Pure; docs/scripts.md is this table for people.

import {
  ArgumentError,
  above0,
  anything,
  flag,
  forms,
  named,
  object,
  oneOf,
  type Parsed,
  record,
  text,
  turnedInto,
  whole,
  yes,
} from './argument-shape.ts';

/** Longer waits overflow the timer and would end at once. */
const timerMaxMs = 2 ** 31 - 1;
const bytesMax = 2 ** 30;
const mbMax = 2 ** 20;
/** The size of the frame of a padded line. */
const lineBytesMin = 512;

const count = whole('a count', 0, Number.MAX_SAFE_INTEGER);
const ms = whole('milliseconds', 0, timerMaxMs);
const bytes = whole('bytes', 0, bytesMax);
const path = named('a path');
const command = named('a shell command');
const rate = above0('megabytes a second', mbMax);
const httpStatus = forms(
  'an HTTP status from 400 to 599, or null for no answer',
  whole('a status', 400, 599),
  oneOf(null),
);

const content = forms(
  '{path, text} or {path, bytes}',
  turnedInto(record({ path, text }), (given) => ({ ...given, bytes: null })),
  turnedInto(record({ path, bytes }), (given) => ({ ...given, text: '' })),
);

const speech = forms(
  `a text, {text, repeat?} or {bytes} (from ${lineBytesMin} to ${bytesMax})`,
  turnedInto(text, (said) => ({ text: said, repeat: 1, bytes: null })),
  turnedInto(record({ text }, { repeat: count }), ({ text: said, repeat = 1 }) => ({
    text: said,
    repeat,
    bytes: null,
  })),
  turnedInto(record({ bytes: whole('bytes', lineBytesMin, bytesMax) }), (given) => ({ ...given, text: '', repeat: 1 })),
);

const share = forms('a share from 0 to 1', oneOf(0), above0('a share', 1));
const cost = forms('dollars, or null for unknown', oneOf(0, null), above0('dollars', 1e9));

const endings = [
  'SIGABRT',
  'SIGALRM',
  'SIGBUS',
  'SIGFPE',
  'SIGHUP',
  'SIGILL',
  'SIGINT',
  'SIGKILL',
  'SIGQUIT',
  'SIGSEGV',
  'SIGSTOP',
  'SIGTERM',
  'SIGUSR2',
  'SIGXCPU',
] as const;

export const verbs = {
  say: speech,
  write: content,
  append: content,
  run: command,
  commit: named('a message'),
  tool: record({ name: named('the name of a tool') }, { input: object, result: anything, isError: flag }),
  call: record(
    { tool: turnedInto(named('a tool as mcp__<server>__<name>'), toolOfServer) },
    { input: object, repeat: count },
  ),
  keep: record({ path }, { dieOf: whole('a count', 2, 1_000_000) }),
  output: anything,
  outputOf: command,
  usage: record(
    {},
    {
      input_tokens: count,
      output_tokens: count,
      cache_read_input_tokens: count,
      cache_creation_input_tokens: count,
      cost_usd: cost,
    },
  ),
  context: count,
  wait: ms,
  waitFor: path,
  waitSignal: oneOf('SIGUSR2', 'SIGHUP', 'SIGCONT', 'SIGWINCH'),
  listen: yes,
  refuse: record({ status: httpStatus }, { times: count, retriesMax: count, delayMs: ms, message: text }),
  rateLimit: record({}, { rejected: flag, resetsAt: count, of: text, used: share }),
  compact: record({}, { before: count, after: count, trigger: oneOf('auto', 'manual') }),
  background: command,
  result: forms('a text, or the fields of a result line', text, object),
  turn: forms(
    'a text or {text, repeat}',
    text,
    turnedInto(record({ text, repeat: count }), ({ text: line, repeat }) =>
      Array.from({ length: repeat }, (_, i) => line.replaceAll('{n}', String(i + 1))).join('\n'),
    ),
  ),
  fail: named('a reason'),
  stop: oneOf('refusal', 'max_tokens', 'tool_use'),
  exit: whole('an exit code', 0, 255),
  crash: oneOf(...endings),
  hang: oneOf(true, 'tool', 'midway'),
  deaf: yes,
  linger: forms('true or milliseconds', yes, ms),
  noTurn: yes,
  forget: yes,
  flood: record(
    {},
    {
      to: oneOf('stdout', 'stderr'),
      mb: above0('megabytes', mbMax),
      mbPerSecond: rate,
      lineBytes: whole('bytes', 1, bytesMax),
    },
  ),
  grow: record({}, { mb: above0('megabytes', mbMax), mbPerSecond: rate }),
  leak: record(
    { how: oneOf('background', 'nohup', 'setsid', 'doubleFork', 'deaf', 'respawn') },
    { count: whole('a count', 1, 10_000), seconds: whole('seconds', 1, 86_400), pidFile: path, holdStdout: flag },
  ),
  raw: forms(
    'a line, {line: {…}} or {base64, newline?}',
    turnedInto(text, (line) => ({ bytes: Buffer.from(`${line}\n`) })),
    turnedInto(record({ line: object }), ({ line }) => ({ bytes: Buffer.from(`${JSON.stringify(line)}\n`) })),
    turnedInto(record({ base64: text }, { newline: flag }), ({ base64, newline = true }) => ({
      bytes: Buffer.concat([Buffer.from(base64, 'base64'), Buffer.from(newline ? '\n' : '')]),
    })),
  ),
  stderr: text,
} as const;

export type Verb = keyof typeof verbs;
export type Given<K extends Verb> = Parsed<(typeof verbs)[K]>;

/** Verbs that a permission can be asked for. */
export const askable: readonly Verb[] = ['write', 'append', 'run', 'commit', 'tool', 'call', 'outputOf', 'background'];

function toolOfServer(tool: string): { readonly full: string; readonly server: string; readonly name: string } {
  const [, server, name] = /^mcp__(.+?)__(.+)$/s.exec(tool) ?? [];
  if (server === undefined || name === undefined) throw new ArgumentError('takes a tool as mcp__<server>__<name>');
  return { full: tool, server, name };
}
