// The scripted agent: a program of its own that runs a script where a real agent would ask a model. It speaks the same
// stream-json as Claude Code and knows nothing of Signalbox except its input.
//
//   idle ──user message──▶ in a turn ──result──▶ idle ──end_session or end of input──▶ gone

import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { act, compactOnWord } from '../steps/act.ts';
import { keepInput } from '../steps/keep-input.ts';
import { defaultScript, parseScript, ScriptError, type Step, scriptFile } from '../steps/script.ts';
import { createEar, type InputRecord } from './input-reader.ts';
import { createVoice, fromUser, type Line } from './output-writer.ts';
import { newSession, resumeSession, type SessionStore } from './session-file.ts';
import { failed, forEver, type Life, type Stage, TurnEnd } from './stage.ts';
import { recordFile } from './usage-ledger.ts';
import { randomUuid } from './uuid.ts';

const home = process.env['HOME'] ?? '.';
process.env['PATH'] ??= '/usr/local/bin:/usr/bin:/bin';

const store = openSession();
const { session, save } = store;
const model = valueOf('--model') ?? 'scripted';
const voice = createVoice(session.id, model, (line) => appendFileSync(join(home, recordFile), line, { mode: 0o600 }));
const life: Life = { lingerMs: null, signals: new Map(), background: new Set(), notices: 0 };
const script = readScript();
let turn: AbortController | null = null;

// On disk before the session is announced: from then on it may be resumed.
save();
const ear = createEar(voice, interrupt);
voice.system('init', { cwd: process.cwd(), model, tools: ['Bash', 'Edit', 'Write'], mcp_servers: [] });
void converse();

async function converse(): Promise<never> {
  const silent = Array.isArray(script) && script[0]?.kind === 'noTurn';
  for (;;) {
    const message = silent ? undefined : ear.waiting.shift();
    if (message !== undefined) await answer(message);
    else if (life.notices > 0) notice();
    else if (ear.ended === 'told' || (ear.ended === 'closed' && life.background.size === 0)) break;
    else await ear.news();
  }
  for (const stop of life.background) stop();
  if (life.lingerMs !== null) await (Number.isFinite(life.lingerMs) ? delay(life.lingerMs) : forEver());
  process.exit(ear.ended === 'closed' && voice.failing ? 1 : 0);
}

/** A message seen by an earlier process is acknowledged again without effect, unless its script is not finished. */
async function answer(message: InputRecord): Promise<void> {
  session.prompt ??= message.text;
  const seen = take(message);
  if (seen && session.scriptOver && voice.results > 0) return;
  turn = new AbortController();
  voice.state('running');
  try {
    if (message.text === '/compact') {
      if (!seen) await compactOnWord(stageOf(turn));
      voice.result({ result: '' });
    } else if (session.scriptOver) {
      voice.say(seen ? 'That is done already.' : noted(message));
      voice.result({ result: 'Noted.' });
    } else {
      await perform(stageOf(turn));
      conclude({ result: 'The script is done.' });
    }
  } catch (error) {
    conclude(endOf(error));
  }
  save();
  turn = null;
  // Reported in this turn.
  life.notices = 0;
  voice.state('idle');
}

async function perform(stage: Stage): Promise<void> {
  if (script instanceof ScriptError) throw script;
  const steps = script ?? defaultScript(session.prompt ?? '');
  while (session.stepsDone < steps.length) {
    stage.signal.throwIfAborted();
    const step = steps[session.stepsDone] as Step;
    if (step.session !== null && step.session !== session.n) {
      done();
      continue;
    }
    // The end of a turn is no failure: the script continues after it.
    const first = step.once || step.kind === 'turn' || (step.kind === 'stop' && step.given === 'tool_use');
    if (first) done();
    try {
      await act(step, stage);
    } catch (error) {
      if (!first && error instanceof TurnEnd && error.stepDone) done();
      throw error;
    }
    if (!first) done();
  }
  session.scriptOver = true;
}

function done(): void {
  session.stepsDone += 1;
  session.called = 0;
  save();
}

/** A failed step is repeated at the next message; an interrupted script is given up. */
function endOf(error: unknown): Line {
  if (turn?.signal.aborted === true) {
    session.scriptOver = true;
    return { ...failed('The turn was interrupted.').fields, terminal_reason: 'aborted_tools' };
  }
  if (error instanceof TurnEnd) return error.fields;
  const message = error instanceof Error ? error.message : String(error);
  return failed(error instanceof ScriptError ? message : `the script failed: ${message}`).fields;
}

function conclude(fields: Line): void {
  const { output } = session;
  session.output = null;
  voice.result(output === null ? fields : { ...fields, structured_output: output.value });
}

/** Background work ended while there was no turn: that starts a turn. */
function notice(): void {
  life.notices = 0;
  voice.state('running');
  voice.say('The background work is done.');
  voice.result({ result: 'The background work is done.', origin: { kind: 'task-notification' } });
  voice.state('idle');
}

function stageOf({ signal }: AbortController): Stage {
  const asksAlways = process.argv.includes('--ask');
  return { voice, ear, session, signal, asksAlways, life, interrupt, forget: store.forget, save, fold };
}

function interrupt(): void {
  turn?.abort(new Error('interrupted'));
}

function fold(): number {
  const messages = ear.waiting.splice(0);
  for (const message of messages) if (!take(message)) voice.say(noted(message));
  return messages.length;
}

/** Acknowledges a message. Returns whether it was seen before. */
function take({ uuid, text }: InputRecord): boolean {
  const seen = session.seen.includes(uuid);
  if (!seen) {
    keepInput(store, { uuid, text });
    session.seen.push(uuid);
  }
  save();
  voice.emit({ ...fromUser(text, session.id), uuid, isReplay: true });
  return seen;
}

function noted({ text }: InputRecord): string {
  return `Noted: ${text.slice(0, 200)}`;
}

/** null = there is none. An invalid script is reported when the first message needs it. */
function readScript(): readonly Step[] | ScriptError | null {
  const path = join(home, scriptFile);
  if (!existsSync(path)) return null;
  try {
    const steps = parseScript(readFileSync(path, 'utf8'));
    // From the start: a signal that comes before its step counts, and must not end the process.
    for (const signal of new Set(steps.flatMap(({ kind, given }) => (kind === 'waitSignal' ? [given] : [])))) {
      process.on(signal, () => life.signals.set(signal, (life.signals.get(signal) ?? 0) + 1));
    }
    return steps;
  } catch (error) {
    if (error instanceof ScriptError) return error;
    throw error;
  }
}

function openSession(): SessionStore {
  if (!process.argv.includes('--resume')) return newSession(home, randomUuid());
  const wanted = valueOf('--resume');
  const found = resumeSession(home, wanted);
  if (found !== null) return found;
  const text = `No conversation found with session ID: ${wanted ?? 'none is remembered'}`;
  const { fields } = failed(text);
  createVoice(wanted ?? '', 'scripted', () => undefined).result(fields);
  process.stderr.write(`${text}\n`);
  process.exit(1);
}

/** The argument after a flag; null = there is none. */
function valueOf(flag: string): string | null {
  const at = process.argv.indexOf(flag);
  return (at < 0 ? null : process.argv[at + 1]?.replace(/^--.*/, '')) || null;
}
