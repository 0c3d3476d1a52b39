// npm run bench:context: what seven workers with 150,000 characters of results cost the context of the agent that sent them,
// as subagents within Claude Code and as agents of Signalbox. Both are the real CLI, against one scripted model on loopback.
// Ends with status 1 when the bar is missed.

import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { must } from '../src/std/assert.ts';
import { type ModelRequest, startModelServer } from '../test/model-server/model-server.ts';
import { cliEnvironment, realCli } from '../test/model-server/real-cli.ts';

const version = '2.1.197';
const model = 'claude-opus-4-8';
const workers = 7;
const charactersEach = 21_429;
const charactersMax = 16_000;
const timeout = 120_000;
const notification = '<task-notification ';
const run = promisify(execFile);
const mainFile = fileURLToPath(new URL('../../../dist/main.cjs', import.meta.url));

const cli = await realCli(version);
if (cli.kind === 'missing') {
  console.log(cli.why);
  process.exit(1);
}
const { binary } = cli;
const dir = mkdtempSync(join(tmpdir(), 'signalbox-bench-'));
const server = await startModelServer();
let ok = false;
try {
  const prompts = Array.from({ length: workers }, (_, i) => `Report as worker${i}x does.`);
  for (const [i] of prompts.entries()) server.act(`worker${i}x`, [{ say: reportOf(i) }]);
  const subagents = await asSubagents(prompts);
  console.log(`as subagents of Claude Code ${version}: requests of the parent ${bytesOf(subagents)}`);
  const agents = await asAgents(prompts);
  console.log(`as agents of Signalbox: requests of the parent ${bytesOf(agents)}`);
  const mail = must(agents.at(-1), 'it was asked').told.filter((text) => text.includes(notification));
  const entered = mail.join('').length;
  const reported = mail.join('').split(notification).length - 1;
  if (reported !== workers) throw new Error(`the parent was told of ${reported} workers of ${workers}`);
  ok = entered <= charactersMax;
  console.log(
    `${workers} workers with ${count(workers * charactersEach)} characters of results make the next request of their parent ` +
      `${count(must(subagents.at(-1), 'it was asked').bytes)} bytes long as subagents within Claude Code ${version}, and put ` +
      `${count(entered)} characters of notifications into it as agents of Signalbox (bar ${count(charactersMax)}).`,
  );
} finally {
  await server.close();
  rmSync(dir, { recursive: true, force: true });
}
process.exit(ok ? 0 : 1);

/** In lines, of a length that is the same for all. */
function reportOf(nth: number): string {
  const line = `Worker ${nth} has looked here too, and all is as it should be in this place.\n`;
  return line.repeat(Math.ceil(charactersEach / line.length)).slice(0, charactersEach);
}

/** The requests of the parent, from the one that begins to the one that has all results. */
async function asSubagents(prompts: readonly string[]): Promise<readonly ModelRequest[]> {
  const [home, work] = [join(dir, 'plain-home'), join(dir, 'plain-work')];
  for (const folder of [home, work]) mkdirSync(folder);
  const calls = prompts.map((prompt, i) => ({
    tool: 'Agent',
    input: { description: `worker ${i}`, prompt, subagent_type: 'general-purpose' },
  }));
  server.act('plainleadx', [{ calls }, { say: 'All have reported.' }]);
  const quiet = { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', IS_SANDBOX: '1' };
  const args = ['-p', 'Act as plainleadx does.', '--permission-mode', 'bypassPermissions'];
  const running = run(binary, args, { cwd: work, env: { ...cliEnvironment(server), ...quiet, HOME: home }, timeout });
  running.child.stdin?.end();
  await running;
  return requestsOf('plainleadx');
}

async function asAgents(prompts: readonly string[]): Promise<readonly ModelRequest[]> {
  const repo = join(dir, 'repo');
  mkdirSync(repo);
  const place = { HOME: dir, SIGNALBOX_HOME: join(dir, 'home'), SIGNALBOX_CLAUDE: binary };
  const env = { ...cliEnvironment(server), ...place, SIGNALBOX_SLOTS: String(workers + 1) };
  const who = ['-c', 'user.name=A', '-c', 'user.email=a@b'];
  await run('git', ['init', '-q'], { cwd: repo, env });
  await run('git', [...who, 'commit', '-q', '--allow-empty', '-m', 'Start'], { cwd: repo, env });
  const calls = prompts.map((prompt) => ({ tool: 'mcp__signalbox__spawn_agent', input: { prompt } }));
  const wait = { tool: 'mcp__signalbox__wait', input: {} };
  server.act('ownleadx', [{ calls }, { calls: [wait] }, { say: 'All have reported.' }]);
  const sb = (...args: string[]) => run(process.execPath, [mainFile, ...args], { cwd: repo, env, timeout });
  try {
    await sb('run', 'Act as ownleadx does.', '--harness', 'claude', '--model', model);
  } finally {
    await sb('down', '--stop-agents');
  }
  return requestsOf('ownleadx');
}

function requestsOf(marker: string): readonly ModelRequest[] {
  return server.requests.filter(({ told }) => told.some((text) => text.includes(marker)));
}

function bytesOf(requests: readonly ModelRequest[]): string {
  return `of ${requests.map(({ bytes }) => count(bytes)).join(', then ')} bytes`;
}

function count(value: number): string {
  return value.toLocaleString('en-US');
}
