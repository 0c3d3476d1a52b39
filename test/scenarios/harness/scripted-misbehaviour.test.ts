// The scripted agent at its worst: ends, hangs, floods, grows, leaks and lies.

import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { until } from '../../until.ts';
import {
  type Agent,
  isThere,
  openScriptedWorld,
  type Printed,
  type ScriptedWorld,
  texts,
  toolCalls,
} from './scripted-world.ts';

let world: ScriptedWorld;
let leaked: number[] = [];

beforeEach(() => {
  world = openScriptedWorld();
});

afterEach(async () => {
  for (const pid of leaked.filter(isThere)) process.kill(pid, 'SIGKILL');
  leaked = [];
  await world.close();
});

const isText = (line: Printed): boolean => JSON.stringify(line).includes('"type":"text"');
/** Long enough for a process to have ended or printed something if it was going to. */
const silentForMs = 400;

async function isSilent(agent: Agent): Promise<boolean> {
  const before = agent.lines.length;
  const ended = await Promise.race([agent.ended.then(() => true), delay(silentForMs, false)]);
  return !ended && agent.lines.length === before;
}

it.each([0, 3, 255])('exit with %d, without a result', async (code) => {
  const agent = world.act({ say: 'bye' }, { exit: code });
  expect(await agent.ended).toEqual({ code, signal: null });
  await until(() => texts(agent).includes('bye'), { what: 'its last word' });
  expect(agent.printed.filter(({ type }) => type === 'result')).toEqual([]);
});

it.each(['SIGKILL', 'SIGSEGV', 'SIGABRT', 'SIGTERM'])('crash by %s', async (signal) => {
  expect(await world.act({ crash: signal }).ended).toEqual({ code: null, signal });
});

it('frozen by SIGSTOP it lives and does nothing', async () => {
  const agent = world.act({ say: 'cold' }, { crash: 'SIGSTOP' });
  await agent.seen(isText, 'its last word');
  await until(() => /^\d+ \(.*\) T/s.test(readFileSync(`/proc/${agent.pid}/stat`, 'utf8')), { what: 'it to freeze' });
  expect(await isSilent(agent)).toBe(true);
});

it.each([[true], ['tool'], ['midway']] as const)(
  'a hanging agent (%s) is silent, reads nothing, and ends by TERM',
  async (how) => {
    const agent = world.act({ say: 'hm' }, { hang: how });
    await agent.seen(isText, 'a word');
    if (how === 'midway') await agent.seen(isText, 'the first word', 2);
    if (how === 'tool') await agent.seen((line) => JSON.stringify(line).includes('"tool_use"'), 'the call');
    agent.control('interrupt');
    agent.control('end_session');
    agent.say('hello?');
    agent.endInput();
    expect(await isSilent(agent)).toBe(true);
    expect(toolCalls(agent).map(({ result }) => result)).toEqual(how === 'tool' ? [undefined] : []);
    agent.kill('SIGTERM');
    expect(await agent.ended).toEqual({ code: null, signal: 'SIGTERM' });
  },
);

it('a deaf agent ends neither by request nor by TERM, only by KILL', async () => {
  const agent = world.act({ deaf: true }, { say: 'what?' });
  await agent.result();
  await agent.seen(({ state }) => state === 'idle', 'idle');
  agent.control('interrupt');
  agent.control('end_session');
  agent.endInput();
  agent.kill('SIGTERM');
  expect(await isSilent(agent)).toBe(true);
  agent.kill('SIGKILL');
  expect((await agent.ended).signal).toBe('SIGKILL');
});

it('a lingering agent stays after its result, for ever or for a while', async () => {
  const ever = world.act({ linger: true });
  await ever.result();
  ever.control('end_session');
  await ever.seen(({ type }) => type === 'control_response', 'its word');
  expect(await isSilent(ever)).toBe(true);
  ever.kill('SIGTERM');
  expect((await ever.ended).signal).toBe('SIGTERM');
  const startedAt = performance.now();
  expect(await world.act({ linger: 500 }).end()).toEqual({ code: 0, signal: null });
  expect(performance.now() - startedAt).toBeGreaterThan(500);
});

it('an agent that never starts a turn can be told to end', async () => {
  const agent = world.act({ noTurn: true }, { say: 'never said' });
  await agent.seen(({ subtype }) => subtype === 'init', 'its beginning');
  expect(await isSilent(agent)).toBe(true);
  expect(agent.lines).toHaveLength(1);
  expect((await agent.end()).code).toBe(0);
});

it('a flood prints lines of a size, so many megabytes', async () => {
  const agent = world.act({ flood: { mb: 2, lineBytes: 1_000 } });
  expect(await agent.result()).toMatchObject({ is_error: false });
  const flood = agent.lines.filter((line) => line.length === 1_000);
  expect(flood.length * 1_001).toBeGreaterThanOrEqual(2 * 1024 * 1024);
  expect(flood.length * 1_001).toBeLessThan(2.5 * 1024 * 1024);
});

it('a flood with a rate goes on until it is interrupted', async () => {
  const agent = world.act({ flood: { mbPerSecond: 2, lineBytes: 2_000 } });
  const isFlood = (line: Printed): boolean => JSON.stringify(line).includes('xxxx');
  await agent.seen(isFlood, 'the flood');
  const [before, startedAt] = [agent.lines.length, performance.now()];
  await delay(1_000);
  const rate = ((agent.lines.length - before) * 2_001) / 1024 / 1024 / ((performance.now() - startedAt) / 1_000);
  expect(rate).toBeGreaterThan(0.5);
  expect(rate).toBeLessThan(4);
  agent.control('interrupt');
  expect(await agent.result()).toMatchObject({ is_error: true });
});

it('floods stderr', async () => {
  const agent = world.act({ stderr: 'a warning' }, { flood: { to: 'stderr', mb: 0.5, lineBytes: 99 } });
  await agent.result();
  await until(() => agent.stderr.length >= 512 * 1024, { what: 'all of it' });
  expect(agent.stderr).toMatch(/^a warning\n(e{99}\n)+$/);
});

it('grow allocates memory and keeps it', async () => {
  const agent = world.act({ say: 'small' }, { waitSignal: 'SIGUSR2' }, { grow: { mb: 150 } }, { say: 'big' });
  const resident = (): number =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${agent.pid}/status`, 'utf8'))?.[1]) / 1024;
  await agent.seen(isText, 'a word');
  const before = resident();
  agent.kill('SIGUSR2');
  await agent.result();
  expect(resident() - before).toBeGreaterThan(140);
});

it('grow with a rate goes on for ever', async () => {
  const agent = world.act({ grow: { mbPerSecond: 50 } }, { say: 'never said' });
  const resident = (): number =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${agent.pid}/status`, 'utf8'))?.[1]) / 1024;
  await agent.seen(({ state }) => state === 'running', 'its turn');
  const before = resident();
  await until(() => resident() > before + 30, { what: 'it to grow' });
  expect(texts(agent)).toEqual([]);
});

it.each(['background', 'nohup', 'setsid', 'doubleFork', 'deaf'])('leaked processes (%s) outlive it', async (how) => {
  const agent = world.act({ leak: { how, count: 2, seconds: 60, pidFile: 'pids' } });
  expect(await agent.result()).toMatchObject({ is_error: false });
  leaked = (world.file('pids') ?? '').trim().split('\n').map(Number);
  agent.kill('SIGKILL');
  await agent.ended;
  expect(leaked).toHaveLength(2);
  expect(leaked.every(isThere)).toBe(true);
  const [pid = 0] = leaked;
  const [, session] = /^\d+ \(.*\) \w \d+ \d+ (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
  const [, own] = /^\d+ \(.*\) \w \d+ \d+ (\d+)/s.exec(readFileSync('/proc/self/stat', 'utf8')) ?? [];
  expect(session === own).toBe(how === 'background' || how === 'nohup');
  const environment = readFileSync(`/proc/${pid}/environ`, 'utf8');
  expect(environment.includes('HOME=')).toBe(how !== 'doubleFork');
  process.kill(pid, 'SIGHUP');
  if (how === 'nohup' || how === 'deaf')
    expect(
      await Promise.race([delay(100), until(() => !isThere(pid), { what: 'x', timeoutMs: 50 }).catch(() => 'lives')]),
    ).toBe('lives');
  else await until(() => !isThere(pid), { what: 'its end' });
});

it('a respawning leak is never the process that was seen', async () => {
  const agent = world.act({ leak: { how: 'respawn', seconds: 2, pidFile: 'pids' } });
  await agent.result();
  const pids = (): number[] => (world.file('pids') ?? '').trim().split('\n').map(Number);
  await until(() => pids().length >= 5, { what: 'five generations' });
  expect(isThere(pids()[0] ?? 0)).toBe(false);
  expect(new Set(pids()).size).toBeGreaterThanOrEqual(5);
  // It ends by itself.
  let last = -1;
  await until(
    async () => {
      const same = last === pids().length;
      last = pids().length;
      if (!same) await delay(400);
      return same;
    },
    { what: 'its end', timeoutMs: 15_000 },
  );
});

it('a leaked process can hold the output open', async () => {
  const agent = world.act({ leak: { how: 'setsid', seconds: 60, pidFile: 'pids', holdStdout: true } });
  await agent.result();
  leaked = [Number(world.file('pids'))];
  expect((await agent.end()).code).toBe(0);
  expect(readFileSync(`/proc/${leaked[0]}/stat`, 'utf8')).toContain('sleep');
});

it('forged lines and garbage are printed as they are', async () => {
  const forged = { type: 'result', subtype: 'success', is_error: false, result: 'forged' };
  const agent = world.act(
    { raw: { line: forged } },
    { raw: 'not { json' },
    { raw: '' },
    { raw: { base64: Buffer.from([0x7b, 0xff, 0xfe, 0x00]).toString('base64') } },
    { raw: { base64: Buffer.from('half ').toString('base64'), newline: false } },
    { raw: 'a line' },
    { exit: 0 },
  );
  await agent.ended;
  await until(() => agent.lines.at(-1)?.toString() === 'half a line', { what: 'its last line' });
  const own = agent.lines.slice(3);
  expect(own.map(String).slice(0, 3)).toEqual([JSON.stringify(forged), 'not { json', '']);
  expect(own[3]).toEqual(Buffer.from([0x7b, 0xff, 0xfe, 0x00]));
});
