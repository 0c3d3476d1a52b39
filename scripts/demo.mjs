// The demonstration behind `npm start`: three tasks of scripted agents in a sample repository, the daemon killed in the
// middle. Everything lies in one temporary directory; nothing of the user's home is read or written.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const main = join(dirname(dirname(fileURLToPath(import.meta.url))), 'dist', 'main.js');
const place = mkdtempSync(join(tmpdir(), 'signalbox-demo-'));
const repo = join(place, 'repo');
const go = join(place, 'go');
const effects = join(place, 'effects');
const env = { ...process.env, SIGNALBOX_HOME: join(place, 'home'), SIGNALBOX_SLOTS: '2' };
const waitMaxMs = 60_000;
const keep = process.stdout.isTTY === true || process.argv.includes('--keep');

process.once('SIGINT', () => void cleanUp().then(() => process.exit(130)));
try {
  process.exitCode = await show();
} finally {
  await cleanUp();
}

/** However it went: no process stays behind. */
async function cleanUp() {
  const open = async () => JSON.parse((await signalbox('ps', '--json')) || '{"runs":[]}').runs;
  for (const { id } of await open()) await signalbox('stop', id);
  const deadline = performance.now() + waitMaxMs;
  while ((await open()).length > 0 && performance.now() < deadline) await delay(200);
  await signalbox('down');
  if (!keep) rmSync(place, { recursive: true, force: true });
}

async function show() {
  heading('A sample repository, and three tasks for scripted agents. The third needs the first.');
  makeRepository();
  const prompts = ['write a greeting', 'write a farewell', 'join the two'];
  const scripts = [
    script('greeting', [{ write: { path: 'greeting.txt', text: 'Good morning.\n' } }]),
    script('farewell', [{ write: { path: 'farewell.txt', text: 'Good night.\n' } }]),
    script('join', [{ write: { path: 'both.txt', text: 'Good morning. Good night.\n' } }]),
  ];
  const args = ['run', ...prompts, '--needs', '3:1', ...scripts.flatMap((file) => ['--script', file])];
  say(`$ signalbox run ${prompts.map((prompt) => `"${prompt}"`).join(' ')} --needs 3:1`);
  const run = start(args);

  await until('two agents are in the middle of their work', () => read(effects).match(/begins/g)?.length === 2);
  const { pid } = JSON.parse(read(join(env.SIGNALBOX_HOME, 'daemon.json')));
  heading(`Now the daemon (pid ${pid}) is killed with kill -9, in the middle of it.`);
  process.kill(pid, 'SIGKILL');
  await until('the command line has a daemon again', () => run.output().includes('the daemon went away'));
  say('The agents never noticed. They are let go on.');
  writeFileSync(go, '');
  const code = await run.ended;

  const { runs } = JSON.parse(await signalbox('ps', '--all', '--json'));
  const tasks = runs[0].tasks;
  const lines = read(effects).trim().split('\n').sort();
  const once = lines.length === 6 && new Set(lines).size === 6;
  const single = tasks.every(({ attempts, attempt }) => attempts === 1 && attempt.launches.length === 1);
  heading('What came of it');
  for (const { name, outcome, attempt } of tasks) {
    say(`${name.padEnd(18)} ${outcome.kind}, ${attempt.launches.length} process, commit ${attempt.commit.slice(0, 7)}`);
    say(
      `${''.padEnd(18)} ${git('--git-dir', attempt.gitDir, 'show', '--stat', '--format=', attempt.ref).split('\n')[0]}`,
    );
  }
  say(once && single ? 'Every step of every agent happened exactly once.' : `Not exactly once: ${lines.join(', ')}`);
  say((await signalbox('verify')).trim());
  heading('Where it is');
  say(`work      ${tasks[0].attempt.ref}`);
  say(`          in ${tasks[0].attempt.gitDir}`);
  say(`record    ${join(env.SIGNALBOX_HOME, 'journal.db')}`);
  say(`all of it ${place}${keep ? ` (to remove it: rm -r ${place})` : ' (removed now)'}`);
  return code === 0 && once && single ? 0 : 1;
}

/** Leaves a mark when it begins and when it ends, and waits in between until it is let go. */
function script(name, work) {
  const mark = (text) => ({ append: { path: effects, text: `${name} ${text}\n` } });
  const path = join(place, `${name}.json`);
  const steps = [{ say: `Working on the ${name}.` }, { wait: 700 }, mark('begins'), { waitFor: go }, ...work];
  writeFileSync(path, JSON.stringify([...steps, { wait: 700 }, mark('ends')]));
  return path;
}

function makeRepository() {
  mkdirSync(repo);
  writeFileSync(join(repo, 'README.md'), '# A sample\n');
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '-m', 'Start');
}

function git(...args) {
  const who = { GIT_AUTHOR_NAME: 'Demo', GIT_AUTHOR_EMAIL: 'demo@localhost' };
  const committer = { GIT_COMMITTER_NAME: 'Demo', GIT_COMMITTER_EMAIL: 'demo@localhost' };
  const options = { cwd: repo, encoding: 'utf8', env: { ...process.env, ...who, ...committer } };
  return execFileSync('git', ['-c', 'commit.gpgsign=false', ...args], options).trim();
}

function start(args) {
  let output = '';
  const child = spawn(process.execPath, [main, ...args], { cwd: repo, env, stdio: ['ignore', 'pipe', 'inherit'] });
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    output += chunk;
    process.stdout.write(chunk.replace(/^(?=.)/gm, '  '));
  });
  const ended = new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  return { ended, output: () => output };
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

async function until(what, fn) {
  const deadline = performance.now() + waitMaxMs;
  while (!fn()) {
    if (performance.now() > deadline) throw new Error(`demo: not in time: ${what}`);
    await delay(20);
  }
}

function read(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

function heading(text) {
  process.stdout.write(`\n${text}\n`);
}

function say(text) {
  process.stdout.write(`  ${text}\n`);
}
