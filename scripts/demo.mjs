// The demo behind `npm start`: a sample repository in which four agents work in parallel, then what each did and where it
// is. Everything is in one temporary directory, except that a real agent (`--harness claude`) uses your own Signalbox home,
// because its credential is there.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { check, git, makeRepository, tasks } from './demo-sample.mjs';

const usage = `npm start -- [--harness claude] [--model <name>] [--kill] [--keep]
  --harness  which agent: scripted (calls no model, costs nothing) or claude
  --kill     kill the daemon with -9 halfway; the agents continue and nothing is lost
  --keep     keep the temporary directory (default on a terminal)`;
const main = join(dirname(dirname(fileURLToPath(import.meta.url))), 'dist', 'main.cjs');
const waitMaxMs = 60_000;
const diffLinesMax = 40;
const told = options();
const scripted = told.harness === 'scripted';
const place = mkdtempSync(join(tmpdir(), 'signalbox-demo-'));
const repo = join(place, 'tally');
const own = { SIGNALBOX_HOME: join(place, 'home'), SIGNALBOX_SLOTS: String(tasks.length) };
const env = { ...process.env, ...(scripted ? own : {}) };
const keep = process.stdout.isTTY === true || told.keep || !scripted;
/** What a real agent may do without asking outside a sandbox; other requests wait in the inbox. */
const allowed = ['Read', 'Write', 'Edit', 'Bash(node --test:*)'].flatMap((rule) => ['--allow', rule]);
let left = false;

process.once('SIGINT', () => {
  left = true;
});
try {
  process.exitCode = await show();
} finally {
  await cleanUp();
}

function options() {
  try {
    const { values } = parseArgs({
      options: {
        harness: { type: 'string', default: 'scripted' },
        model: { type: 'string' },
        kill: { type: 'boolean', default: false },
        keep: { type: 'boolean', default: false },
      },
    });
    if (values.harness === 'scripted' || values.harness === 'claude') return values;
    throw new Error(`--harness ${values.harness}: expected scripted or claude`);
  } catch (error) {
    process.stderr.write(`demo: ${error.message}\n${usage}\n`);
    process.exit(2);
  }
}

async function show() {
  makeRepository(repo);
  heading(await whoWorks());
  heading(`A small library with tests in ${repo}, and four tasks to do in parallel.`);
  say(`A task is done when \`node --test\` passes on its work, not when the agent says so.`);
  const words = ['run', ...tasks.map(({ prompt }) => prompt), '--harness', told.harness, '--name', 'tally'];
  const flags = ['--check', check, '--retries', '1', ...(told.model === undefined ? [] : ['--model', told.model])];
  process.stdout.write('\n');
  const run = start([...words, ...flags, ...(scripted ? scriptFlags() : allowed)]);
  if (told.kill) await killDaemon();
  const code = await run;
  const [found] = JSON.parse((await signalbox('ps', '--all', '--json')) || '{"runs":[]}').runs;
  // Refused: the error was printed already.
  if (found?.repo.path !== repo || found.state !== 'ended') return code;
  tellWork(found);
  await tellPlaces(found);
  return code;
}

async function whoWorks() {
  if (!scripted) return 'The agents are Claude Code: they call a model, which costs money.';
  const told = JSON.parse((await signalbox('doctor', '--json')) || '{"findings":[]}').findings;
  const installed = told.find(({ name }) => name === 'claude')?.state === 'ok';
  const other = installed
    ? 'Claude Code is installed: run the same with `npm start -- --harness claude`.'
    : 'No other agent that Signalbox can run is installed here.';
  return `The agents are scripted: real processes that call no model and cost nothing.\n${other}`;
}

function scriptFlags() {
  mkdirSync(join(place, 'scripts'));
  return tasks.flatMap(({ steps }, i) => {
    const path = join(place, 'scripts', `${i + 1}.json`);
    writeFileSync(path, JSON.stringify(steps));
    return ['--script', path];
  });
}

/** Kills the daemon while the agents are working. */
async function killDaemon() {
  const path = join(env.SIGNALBOX_HOME ?? '', 'daemon.json');
  const deadline = performance.now() + waitMaxMs;
  while (!existsSync(path) && performance.now() < deadline) await delay(50);
  await delay(1_500);
  const { pid } = JSON.parse(readFileSync(path, 'utf8'));
  process.kill(pid, 'SIGKILL');
  process.stderr.write(`demo: the daemon (pid ${pid}) was killed with -9; the agents continue\n`);
}

function tellWork({ tasks: all }) {
  heading('What each task did');
  for (const [i, { name, outcome, attempts, attempt, usage }] of all.entries()) {
    const tries = attempts === 1 ? '' : ` on attempt ${attempts}`;
    say(`${name}: ${outcome.kind}${tries}, cost ${cost(usage)}`);
    if (!attempt?.ref) continue;
    for (const line of workOf(attempt, '--stat=72').split('\n')) say(`   ${line.trim()}`);
    if (i > 0) continue;
    const diff = workOf(attempt, '--patch').split('\n');
    for (const line of diff.slice(0, diffLinesMax)) say(`   ${line}`);
    if (diff.length > diffLinesMax) say(`   … ${diff.length - diffLinesMax} more lines`);
  }
}

function workOf({ gitDir, ref, commit }, how) {
  const base = git(repo, 'rev-parse', 'HEAD');
  return git(repo, '--git-dir', gitDir, 'diff', how, base, ref ?? commit);
}

async function tellPlaces({ id, tasks: all, usage }) {
  const home = JSON.parse((await signalbox('status', '--json')) || '{}').home ?? env.SIGNALBOX_HOME;
  const attempt = all.find((task) => task.attempt !== null)?.attempt;
  heading('Where everything is');
  say(`run          ${id}, cost ${cost(usage)}`);
  say(`journal      ${join(home, 'journal.db')}`);
  say(`             ${(await signalbox('verify')).trim()}`);
  say(`work         ${attempt?.ref ?? 'none'}`);
  say(`             in ${attempt?.gitDir ?? 'no repository'}`);
  say(`checkout     ${git(repo, 'status', '--porcelain') === '' ? 'not touched' : 'has changed!'}`);
  if (!keep) return say(`everything   ${place} (removed now; keep it with --keep)`);
  say(`everything   ${place} (remove it: rm -r ${place})`);
  say(`next         ${scripted ? `SIGNALBOX_HOME=${home} ` : ''}node ${main} logs ${all[0].id}`);
}

function cost({ costMicroUsd }) {
  return costMicroUsd === null ? 'unknown' : `$${(costMicroUsd / 1e6).toFixed(2)}`;
}

/** Leaves nothing behind, except in the user's own home. */
async function cleanUp() {
  if (scripted && existsSync(own.SIGNALBOX_HOME)) {
    const open = async () => JSON.parse((await signalbox('ps', '--json')) || '{"runs":[]}').runs;
    for (const { id } of await open()) await signalbox('stop', id);
    const deadline = performance.now() + waitMaxMs;
    while ((await open()).length > 0 && performance.now() < deadline) await delay(200);
    await signalbox('down');
  }
  if (!keep || (left && scripted)) rmSync(place, { recursive: true, force: true });
}

/** Inherits this terminal, so that progress is live. */
function start(args) {
  const child = spawn(process.execPath, [main, ...args], { cwd: repo, env, stdio: 'inherit' });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
}

async function signalbox(...args) {
  const child = spawn(process.execPath, [main, ...args], { cwd: place, env, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    output += chunk;
  });
  await new Promise((resolve) => child.once('close', resolve));
  return output;
}

function heading(text) {
  process.stdout.write(`\n${text}\n`);
}

function say(text) {
  process.stdout.write(`  ${text}\n`);
}
