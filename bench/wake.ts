// How fast a parked agent of the real CLI is back: from the record that wakes it to the first request that its model gets, and
// Signalbox's share of that: before each waking the CLI alone is started for the same. The model is scripted, on loopback.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { createClaude } from '../src/harness/claude/claude.ts';
import { parkingTools } from '../src/model/tool-calls/call.ts';
import { toolDefinitions } from '../src/model/tool-calls/tool-list.ts';
import type { Harness } from '../src/ports/harness.ts';
import { must } from '../src/std/assert.ts';
import { blankAgent } from '../test/harness/blank-agent.ts';
import { encoded } from '../test/harness/encoded.ts';
import { type ModelRequest, type ModelServer, startModelServer } from '../test/model-server/model-server.ts';
import { type CliVersion, cliEnvironment, cliVersions, realCli } from '../test/model-server/real-cli.ts';
import { type BenchFigure, figure, median } from './figure.ts';
import { onSignal, openWorld, type World } from './world.ts';

const wakes = 12;
const barMs = 1_500;
const startMaxMs = 60_000;
const model = 'claude-haiku-4-5';

export async function benchWake(): Promise<BenchFigure[]> {
  const figures: BenchFigure[] = [];
  for (const version of cliVersions) figures.push(...(await benchVersion(version)));
  return figures;
}

async function benchVersion(version: CliVersion): Promise<BenchFigure[]> {
  const cli = await realCli(version);
  if (cli.kind === 'missing') {
    console.log(cli.why);
    return [];
  }
  const server = await startModelServer();
  const world = openWorld(2, { ...cliEnvironment(server), SIGNALBOX_CLAUDE: cli.binary });
  const forget = onSignal(() => world.close());
  try {
    const bare: number[] = [];
    const start = bareStarts(world.dir, cli.binary, server);
    // Its first session is a new one, unlike those after it.
    await start();
    const woken = await waking(world, server, async () => void bare.push(await start()));
    const p50 = median(woken);
    const ours = median(woken.map((ms, n) => ms - must(bare[n], 'there is one for each')));
    return [
      figure(`children.wake_claude_${version}_p50`, p50, 'ms', `< ${barMs}`, p50 < barMs),
      figure(`children.wake_claude_${version}_ours`, ours, 'ms', 'none', true),
    ];
  } finally {
    forget();
    await world.close();
    await server.close();
  }
}

/** A parent that waits for one child after the other; none ends before its parent is without a process, and `asleep` is done. */
async function waking(world: World, server: ModelServer, asleep: () => Promise<void>): Promise<number[]> {
  const tool = (name: string): string => `mcp__signalbox__${name}`;
  const spawned = (n: number): object => ({
    name: `child-${messageOf(n)}`,
    prompt: 'Say that you are done, and nothing else.',
    harness: 'scripted',
    script: [{ waitFor: join(world.dir, `go-${n}`) }, { say: 'done' }],
  });
  const steps = Array.from({ length: wakes }, (_, n) => [
    { call: { tool: tool('spawn_agent'), input: spawned(n) } },
    { call: { tool: tool('wait'), input: {} } },
  ]);
  server.act('wakenx', steps.flat());
  const task = { name: 'parent', prompt: 'Act as wakenx does.', harness: 'claude', settings: { model } };
  const run = await world.submit([task], { idleMs: 0 });
  for (let n = 0; n < wakes; n++) {
    await world.reaches(run, ({ name, state, attempt, wait }) => {
      if (name !== 'parent') return true;
      if (state === 'ended') throw new Error('the parent has ended');
      return attempt?.launchState === 'ended' && JSON.stringify(wait).includes(`child-${messageOf(n)}`);
    });
    await asleep();
    world.touch(`go-${n}`);
  }
  await world.ended(run);
  const ended = (await world.events(run)).filter(({ type }) => type === 'task.ended').slice(0, wakes);
  return ended.map(({ at }) => must(firstAfter(server.requests, at), 'it was asked').at - at);
}

/** No name is the beginning of another. */
const messageOf = (n: number): string => String.fromCharCode('a'.charCodeAt(0) + n);

/**
 * The same launch without Signalbox: from the start of the process, with all its input in stdin, to its request. Each resumes
 * the session of the one before.
 */
function bareStarts(dir: string, binary: string, server: ModelServer): () => Promise<number> {
  const [home, work] = [join(dir, 'bare-home'), join(dir, 'bare-work')];
  for (const folder of [home, work]) mkdirSync(folder);
  const claude = createClaude({ binary, model, env: cliEnvironment(server), tools: toolDefinitions, parkingTools });
  let n = 0;
  return async () => {
    const agent = { agentId: 'agent_bare', session: null, resume: n > 0, settings: {}, home, sandboxed: true };
    const { argv, env } = claude.command(agent);
    n += 1;
    const message = encoded(claude, { recordId: `record_bare-${n}`, body: { kind: 'text', text: `Note ${n}.` } });
    const begun = Date.now();
    const [program, ...args] = argv;
    const stdio = ['pipe', 'pipe', 'ignore'] as const;
    const child = spawn(must(program, 'it has one'), args, { cwd: work, env, stdio: [...stdio], timeout: startMaxMs });
    const gone = once(child, 'exit');
    child.stdin.write(claude.opening(agent) + message);
    await converse(claude, child.stdout, child.stdin);
    await gone;
    return must(firstAfter(server.requests, begun), 'it was asked').at - begun;
  };
}

/** Until its turn has ended: it asks for our tools before it asks its model. */
async function converse(claude: Harness, from: Readable, to: Writable): Promise<void> {
  let state = claude.initial(blankAgent);
  for await (const line of createInterface({ input: from })) {
    const step = claude.read(state, line);
    state = step.state;
    for (const reply of step.replies) to.write(reply);
    if (step.events.some(({ kind }) => kind === 'turnEnded')) to.end();
  }
}

function firstAfter(requests: readonly ModelRequest[], at: number): ModelRequest | undefined {
  return requests.find((request) => request.at >= at && request.body.messages !== undefined);
}
