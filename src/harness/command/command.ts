// Any program as an agent. It gets its prompt as an argument (each `{prompt}` in its command) or, if no argument asks for it,
// on its stdin, which then ends. Its output is its session, its exit status its result, and a file that it may write holds the
// text of that result. A typed output is written as JSON to the file that SIGNALBOX_OUTPUT names.
//
// The stdin of a launch never ends by itself. So a few lines of shell read the first record from it, put the prompt into a file
// in the agent's home, report that in the first line of the output, and become the program. What they report after the program has
// begun carries a number that they draw for this launch and tell in that first line: the program prints into the same output,
// and does not know it.

import { join } from 'node:path';
import type { RecordId } from '../../model/core/ids.ts';
import { turnTextMax } from '../../model/session/agent-fact.ts';
import type { Harness, Order, ReadStep } from '../../ports/harness.ts';
import { parseBounded } from '../../std/bounded-json.ts';
import { unknownSetting } from '../known-settings.ts';
import { launcher, marker } from './launcher-text.ts';
import { commandStall } from './stall.ts';

export interface CommandOptions {
  /** The environment of every such agent; PATH at least. */
  readonly env: Readonly<Record<string, string>>;
}

export function createCommand({ env }: CommandOptions): Harness {
  return {
    name: 'command',
    stall: commandStall,
    capabilities: ['output'],
    command({ agentId, settings, home, schema = null }) {
      const argv = parseArgv(settings['argv']);
      const output = settings['output'] ?? '';
      const typed = schema === null ? {} : { SIGNALBOX_OUTPUT: join(home, 'output.json') };
      return {
        argv: ['sh', '-c', launcher, 'sh', output, ...(argv ?? ['false'])],
        // Python buffers its output when it is not a terminal, and loses it when it is killed.
        env: { ...env, HOME: home, SIGNALBOX_AGENT: agentId, PYTHONUNBUFFERED: '1', ...typed },
      };
    },
    opening: () => '',
    initial: () => '{}',
    read: readOutput,
    // A lost process has no result.
    ended(state, status) {
      if (status === null) return null;
      const { tail = '', cut = false } = JSON.parse(state) as State;
      if (status === 0) return { kind: 'ok', text: tail, cut };
      const detail = `the command ended with status ${status}${tail === '' ? '' : `: ${tail}`}`;
      return { kind: 'failed', failure: { reason: 'crash', detail: detail.slice(0, turnTextMax) } };
    },
    // It has no open calls besides its own turn.
    inFlight: () => [],
    encode: (_state, order) => ({ record: encodePrompt(order), pinned: null }),
    settingsFlaw: commandSettingsProblem,
    transcript: () => null,
    delivered: () => new Set(),
  };
}

/** One sentence on what is wrong with a task's settings; null = nothing. */
export function commandSettingsProblem(settings: Readonly<Record<string, string>>): string | null {
  const unknown = unknownSetting('command', ['argv', 'output'], settings);
  if (unknown !== null) return unknown;
  return parseArgv(settings['argv']) === null ? '"argv" takes a JSON array of at least one text' : null;
}

interface State {
  /** The prompt was read. */
  readonly begun?: true;
  /** What the launcher's own lines carry; launches of older versions have none, and their lines are the program's. */
  readonly nonce?: string;
  /** The lines that follow are the result, from the file. */
  readonly result?: true;
  /** The end of the output, or the beginning of the result file. */
  readonly tail?: string;
  readonly cut?: boolean;
}

const garbageMax = 200;

// Lines come in batches: the state is not parsed again for each.
let last: { readonly text: string; readonly state: State } = { text: '{}', state: {} };

function readOutput(text: string, line: string): ReadStep {
  const state = text === last.text ? last.state : (JSON.parse(text) as State);
  const { state: after, events } = readLine(state, line);
  last = { text: after === state ? text : JSON.stringify(after), state: after };
  return { state: last.text, events, replies: [] };
}

function readLine(state: State, line: string): { state: State; events: ReadStep['events'] } {
  if (state.begun === undefined) {
    const [word, recordId = '', nonce = ''] = line.split(' ');
    if (word === `${marker}begun` && recordId.startsWith('record_')) {
      const known = /^[0-9a-f]{32}$/.test(nonce) ? { nonce } : {};
      return { state: { begun: true, ...known }, events: [{ kind: 'delivered', recordId: recordId as RecordId }] };
    }
    return { state, events: [{ kind: 'garbage', text: line.slice(0, garbageMax) }] };
  }
  const typed = `${marker}output ${state.nonce} `;
  if (state.nonce !== undefined && line.startsWith(typed)) {
    return { state, events: [{ kind: 'structured', value: jsonOf(line.slice(typed.length)) }] };
  }
  if (state.nonce !== undefined && line === `${marker}result ${state.nonce}`) {
    const { begun, nonce } = state;
    return { state: { ...(begun === undefined ? {} : { begun }), nonce, result: true }, events: [] };
  }
  const whole = state.tail === undefined ? line : `${state.tail}\n${line}`;
  const cut = state.cut === true || whole.length > turnTextMax;
  if (state.result === true) return { state: { ...state, tail: whole.slice(0, turnTextMax), cut }, events: [] };
  const events: ReadStep['events'] = [{ kind: 'text', text: line, within: null }];
  return { state: { ...state, tail: whole.slice(-turnTextMax), cut }, events };
}

/** undefined: not JSON, or nested too deep. */
function jsonOf(text: string): unknown {
  try {
    const { value, isCut } = parseBounded(text);
    return isCut ? undefined : value;
  } catch {
    return undefined;
  }
}

/** Two lines: the record's id, and its text with line breaks and backslashes escaped as printf(1) reads them. */
function encodePrompt({ recordId, body }: Order): string {
  if (body.kind === 'record') return body.record;
  // Nothing reads it: the program has replaced the launcher.
  if (body.kind !== 'text') return '\n';
  const text = body.text.replaceAll('\\', '\\\\').replaceAll('\r', '\\r').replaceAll('\n', '\\n').replaceAll('\0', '');
  return `${recordId}\n${text}\n`;
}

function parseArgv(text: string | undefined): readonly string[] | null {
  try {
    const value: unknown = JSON.parse(text ?? '');
    const fits = Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string');
    return fits ? value : null;
  } catch {
    return null;
  }
}
