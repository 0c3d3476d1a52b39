// Runs one step of a script. Everything that waits can be interrupted through the signal, except a hang. Rare steps are loaded
// on demand: many agents start at once.

import { setTimeout as delay } from 'node:timers/promises';
import { failed, forEver, type Stage, stay, TurnEnd } from '../agent/stage.ts';
import { writeWhole } from '../agent/write-whole.ts';
import type { Step } from './script.ts';
import type { Given, Verb } from './step-list.ts';

type Act<K extends Verb> = (given: Given<K>, stage: Stage, ask: boolean) => void | Promise<void>;

export async function act(step: Step, stage: Stage): Promise<void> {
  const ask = step.ask || (stage.asksAlways && changing.includes(step.kind));
  await (acts[step.kind] as Act<Verb>)(step.given, stage, ask);
}

/** As Claude Code does on its command. */
export async function compactOnWord(stage: Stage): Promise<void> {
  (await trouble()).compact({ trigger: 'manual' }, stage);
}

const changing: readonly Verb[] = ['write', 'append', 'run', 'commit', 'outputOf', 'background'];

const acts: { readonly [K in Verb]: Act<K> } = {
  say: async (given, stage) => {
    if (given.bytes === null && given.repeat === 1) return stage.voice.say(given.text);
    await (await import('./long-texts.ts')).saySize(given, stage);
  },
  write: async (given, stage, ask) => (await files()).writeFile('Write', given, stage, ask),
  append: async (given, stage, ask) => (await files()).writeFile('Edit', given, stage, ask),
  run: async (given, stage, ask) => void (await (await commands()).run(given, stage, ask)),
  commit: async (given, stage, ask) => (await commands()).commit(given, stage, ask),
  tool: async (given, stage, ask) => (await calls()).pretend(given, stage, ask),
  call: async (given, stage, ask) => (await calls()).callServer(given, stage, ask),
  keep: (given, { session }) => {
    session.keeps = given;
  },
  output: async (given, stage) => (await calls()).giveOutput(given, stage),
  outputOf: async (given, stage, ask) => {
    const printed = await (await commands()).printedBy(given, stage, ask);
    if (printed !== null) await (await calls()).giveOutput(printed.value, stage);
  },
  usage: (given, { voice }) => voice.use(given),
  context: (given, { voice }) => voice.fill(given),
  wait: (given, { signal }) => delay(given, undefined, { signal }),
  waitFor: async (given, stage) => (await files()).waitForFile(given, stage),
  waitSignal: async (given, { life, signal }) => {
    while ((life.signals.get(given) ?? 0) === 0) await delay(pollMs, undefined, { signal });
    life.signals.set(given, (life.signals.get(given) ?? 0) - 1);
  },
  listen: async (_given, { ear, fold, signal }) => {
    while (fold() === 0) {
      if (ear.ended !== null) throw failed('nobody speaks to the agent any more');
      await Promise.race([ear.news(), broken(signal)]);
    }
  },
  refuse: async (given, stage) => (await trouble()).refuse(given, stage),
  rateLimit: async (given, stage) => (await trouble()).rateLimit(given, stage),
  compact: async (given, stage) => (await trouble()).compact(given, stage),
  background: async (given, stage, ask) => (await commands()).background(given, stage, ask),
  result: (given, { voice }) => voice.result(typeof given === 'string' ? { result: given } : given),
  turn: (given) => {
    throw new TurnEnd({ result: given });
  },
  fail: async (given, stage) => (await trouble()).fail(given, stage),
  stop: async (given, stage) => (await trouble()).stop(given, stage),
  exit: (given) => process.exit(given),
  crash: (given) => {
    process.kill(process.pid, given);
    // A signal takes a moment to arrive.
    return forEver();
  },
  hang: (given, { voice, ear }) => {
    if (given === 'tool') voice.toolUse('Bash', { command: 'sleep infinity' });
    if (given === 'midway') voice.say('Well');
    ear.stop();
    return forEver();
  },
  deaf: (_given, { ear }) => {
    ear.deafen();
    process.on('SIGTERM', () => undefined);
    stay();
  },
  linger: (given, { life }) => {
    life.lingerMs = given === true ? Number.POSITIVE_INFINITY : given;
  },
  // Handled before the first message; only a new script in an old session gets here.
  noTurn: () => undefined,
  forget: (_given, stage) => stage.forget(),
  flood: async (given, stage) => (await burdens()).flood(given, stage),
  grow: async (given, stage) => (await burdens()).grow(given, stage),
  leak: async (given, stage) => (await import('./leaked-processes.ts')).leak(given, stage),
  raw: ({ bytes }) => writeWhole(1, bytes),
  stderr: (given) => writeWhole(2, Buffer.from(`${given}\n`)),
};

const pollMs = 20;
const files = () => import('./file-steps.ts');
const commands = () => import('./commands.ts');
const calls = () => import('./calls.ts');
const trouble = () => import('./model-trouble.ts');
const burdens = () => import('./floods.ts');

function broken(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    if (signal.aborted) reject(signal.reason as Error);
  });
}
