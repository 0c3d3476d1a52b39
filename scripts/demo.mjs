// The demonstration behind `npm start`: a sample repository, four agents at work in it at once, what each did and where it
// is. Everything lies in one temporary directory. Only a real agent (`--harness claude`) works in your own home of
// Signalbox, because that is where its login is.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { check, git, makeRepository, tasks } from './demo-sample.mjs';

const usage = `npm start -- [--harness claude] [--model <name>] [--kill] [--keep]
  --harness  the kind of agent: scripted (asks no model and costs nothing) or claude
  --kill     kill the daemon with -9 in the middle; the agents go on and nothing is lost
  --keep     keep the temporary directory; on a terminal it is kept anyway`;
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
/** What a real agent need not ask for; all else waits in the inbox. In a sandbox it need not ask at all. */
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
    throw new Error(`--harness ${values.harness}: it takes scripted or claude`);
  } catch (error) {
    process.stderr.write(`demo: ${error.message}\n${usage}\n`);
    process.exit(2);
  }
}

async function show() {
  makeRepository(repo);
  heading(`A small library with tests, in ${repo}, and four things to do in it at once.`);
  say(await whoWorks());
  say(`What counts as done is not their word: \`node --test\` has to pass on what each leaves behind.`);
  const words = ['run', ...tasks.map(({ prompt }) => prompt), '--harness', told.harness, '--name', 'tally'];
  const flags = ['--check', check, '--retries', '1', ...(told.model === undefined ? [] : ['--model', told.model])];
  process.stdout.write('\n');
  const run = start([...words, ...flags, ...(scripted ? scriptFlags() : allowed)]);
  if (told.kill) await killDaemon();
  const code = await run;
  const [found] = JSON.parse((await signalbox('ps', '--all', '--json')) || '{"runs":[]}').runs;
  // Refused: what was said is all there is to say.
  if (found?.repo.path !== repo || found.state !== 'ended') return code;
  tellWork(found);
  await tellPlaces(found);
  return code;
}

async function whoWorks() {
  if (!scripted) return 'The agents are Claude Code: they ask a model, and that costs what it costs.';
  const told = JSON.parse((await signalbox('doctor', '--json')) || '{"findings":[]}').findings;
  const installed = told.find(({ name }) => name === 'claude')?.state === 'ok';
  const other = installed
    ? 'Claude Code is installed: `npm start -- --harness claude` lets it do the same.'
    : 'No other agent that Signalbox can run is installed here.';
  return `The agents are scripted ones that come with Signalbox: real processes, but they ask no model and cost nothing.\n  ${other}`;
}

function scriptFlags() {
  mkdirSync(join(place, 'scripts'));
  return tasks.flatMap(({ steps }, i) => {
    const path = join(place, 'scripts', `${i + 1}.json`);
    writeFileSync(path, JSON.stringify(steps));
    return ['--script', path];
  });
}

/** When the agents are in the middle of their work. */
async function killDaemon() {
  const path = join(env.SIGNALBOX_HOME ?? '', 'daemon.json');
  const deadline = performance.now() + waitMaxMs;
  while (!existsSync(path) && performance.now() < deadline) await delay(50);
  await delay(1_500);
  const { pid } = JSON.parse(readFileSync(path, 'utf8'));
  process.kill(pid, 'SIGKILL');
  process.stderr.write(`demo: the daemon (pid ${pid}) was killed with -9; the agents go on\n`);
}

function tellWork({ tasks: all }) {
  heading('What each did');
  for (const [i, { name, outcome, attempts, attempt, usage }] of all.entries()) {
    const tries = attempts === 1 ? '' : `, at the ${attempts === 2 ? 'second' : `${attempts}th`} attempt`;
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
  heading('Where it is');
  say(`the run      ${id}, cost ${cost(usage)}`);
  say(`its record   ${join(home, 'journal.db')}: ${(await signalbox('verify')).trim()}`);
  say(`the work     ${attempt?.ref ?? 'none'}`);
  say(`             in ${attempt?.gitDir ?? 'no repository'}`);
  say(
    `your own     ${git(repo, 'status', '--porcelain') === '' ? 'checkout was not touched' : 'checkout has changed!'}`,
  );
  if (!keep) return say(`all of it    ${place} (removed now; --keep keeps it)`);
  say(`all of it    ${place} (to remove it: rm -r ${place})`);
  say(`look around  ${scripted ? `SIGNALBOX_HOME=${home} ` : ''}node ${main} logs ${all[0].id}`);
}

function cost({ costMicroUsd }) {
  return costMicroUsd === null ? 'unknown' : `$${(costMicroUsd / 1e6).toFixed(2)}`;
}

/** However it went: nothing of ours stays behind. What is in the user's own home is the user's. */
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

/** On this terminal, so that its progress is live. */
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
