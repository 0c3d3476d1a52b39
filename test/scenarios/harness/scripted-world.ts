// One scripted agent as a child process with pipes: no daemon, no confinement, no codec. What it prints is compared as
// it is.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { scriptFile } from '../../../src/harness/scripted/steps/script.ts';
import { until } from '../../until.ts';

export const agentFile = fileURLToPath(
  new URL('../../../dist/harness/scripted/agent/scripted-agent.cjs', import.meta.url),
);

export type Printed = Readonly<Record<string, unknown>>;

export interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
}

export interface Agent {
  readonly pid: number;
  /** The lines so far, as bytes. */
  readonly lines: readonly Buffer[];
  /** Those of them that are JSON objects. */
  readonly printed: readonly Printed[];
  readonly stderr: string;
  readonly ended: Promise<Ended>;
  /** Sends a message, under a uuid that distinguishes it from others. */
  say(text: string, uuid?: string): void;
  control(subtype: string, more?: object): void;
  answer(requestId: string, response: object): void;
  endInput(): void;
  kill(signal: NodeJS.Signals): void;
  /** The nth line for which `fits`. */
  seen(fits: (line: Printed) => boolean, what: string, nth?: number): Promise<Printed>;
  /** The nth result line. */
  result(nth?: number): Promise<Printed>;
  /** Told to leave, it leaves. */
  end(): Promise<Ended>;
}

export interface ScriptedWorld {
  readonly work: string;
  readonly home: string;
  start(script: readonly unknown[] | string | null, ...args: string[]): Agent;
  /** Starts it and says `go`. */
  act(...steps: unknown[]): Agent;
  file(name: string): string | null;
  git(...args: string[]): string;
  close(): Promise<void>;
}

const drainMaxMs = 3_000;
const uuidOfGo = '00000000-0000-4000-8000-000000000001';

export function openScriptedWorld(): ScriptedWorld {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-scripted-')));
  const [work, home] = [join(root, 'work'), join(root, 'home')];
  for (const path of [work, home]) mkdirSync(path);
  const children: ChildProcess[] = [];
  const world: ScriptedWorld = {
    work,
    home,
    start(script, ...args) {
      const text = script === null || typeof script === 'string' ? script : JSON.stringify(script);
      if (text !== null) writeFileSync(join(home, scriptFile), text);
      const env = { HOME: home, PATH: process.env['PATH'] };
      const child = spawn(process.execPath, [agentFile, ...args], { cwd: work, env, stdio: 'pipe' });
      children.push(child);
      return agentOf(child);
    },
    act(...steps) {
      const agent = world.start(steps);
      agent.say('go', uuidOfGo);
      return agent;
    },
    file(name) {
      try {
        return readFileSync(join(work, name), 'utf8');
      } catch {
        return null;
      }
    },
    git: (...args) => execFileSync('git', args, { cwd: work, encoding: 'utf8' }).trim(),
    async close() {
      for (const child of children) child.kill('SIGKILL');
      rmSync(root, { recursive: true, force: true });
    },
  };
  return world;
}

function agentOf(child: ChildProcess): Agent {
  const lines: Buffer[] = [];
  const printed: Printed[] = [];
  let stderr = '';
  let rest: Buffer[] = [];
  let messages = 1;
  child.stdout?.on('data', (chunk: Buffer) => {
    let from = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      const line = Buffer.concat([...rest, chunk.subarray(from, at)]);
      rest = [];
      from = at + 1;
      lines.push(line);
      const value = parsed(line);
      if (value !== null) printed.push(value);
    }
    if (from < chunk.length) rest.push(chunk.subarray(from));
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString('utf8');
  });
  child.stdin?.on('error', () => undefined);
  const write = (record: object): void => void child.stdin?.write(`${JSON.stringify(record)}\n`);
  const ended = new Promise<Ended>((resolve) => {
    // With all its output; another process may hold its output open.
    child.once('close', (code, signal) => resolve({ code, signal }));
    child.once('exit', (code, signal) => setTimeout(() => resolve({ code, signal }), drainMaxMs));
  });
  const agent: Agent = {
    pid: child.pid ?? 0,
    lines,
    printed,
    get stderr() {
      return stderr;
    },
    ended,
    say(text, uuid) {
      messages += 1;
      write({ type: 'user', message: { role: 'user', content: text }, uuid: uuid ?? `message-${messages}` });
    },
    control: (subtype, more = {}) =>
      write({ type: 'control_request', request_id: `host-${subtype}`, request: { subtype, ...more } }),
    answer: (requestId, response) =>
      write({ type: 'control_response', response: { subtype: 'success', request_id: requestId, response } }),
    endInput: () => void child.stdin?.end(),
    kill: (signal) => void child.kill(signal),
    seen: (fits, what, nth = 1) => until(() => printed.filter(fits)[nth - 1], { timeoutMs: 30_000, what }),
    result: (nth = 1) => agent.seen(({ type }) => type === 'result', `result ${nth}`, nth),
    end() {
      agent.control('end_session');
      return ended;
    },
  };
  return agent;
}

function parsed(line: Buffer): Printed | null {
  try {
    const value: unknown = JSON.parse(line.toString('utf8'));
    return typeof value === 'object' && value !== null ? (value as Printed) : null;
  } catch {
    return null;
  }
}

/** The content blocks of all assistant or tool-result lines, in order. */
export function blocks(agent: Agent): readonly Printed[] {
  return agent.printed.flatMap((line) => {
    const { content } = (line['message'] ?? {}) as { content?: unknown };
    return Array.isArray(content) ? (content as Printed[]) : [];
  });
}

export function texts(agent: Agent): readonly string[] {
  return blocks(agent).flatMap((block) => (block['type'] === 'text' ? [String(block['text'])] : []));
}

/** Name, input and result of each tool call. */
export function toolCalls(
  agent: Agent,
): readonly { name: unknown; input: unknown; result: unknown; isError: boolean }[] {
  const all = blocks(agent);
  return all
    .filter(({ type }) => type === 'tool_use')
    .map(({ id, name, input }) => {
      const told = all.find((block) => block['type'] === 'tool_result' && block['tool_use_id'] === id);
      return { name, input, result: told?.['content'], isError: told?.['is_error'] === true };
    });
}

export function systems(agent: Agent, subtype: string): readonly Printed[] {
  return agent.printed.filter((line) => line['type'] === 'system' && line['subtype'] === subtype);
}

export function isRequest(subtype: string): (line: Printed) => boolean {
  return (line) =>
    line['type'] === 'control_request' && (line['request'] as { subtype?: unknown } | undefined)?.subtype === subtype;
}

export function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
