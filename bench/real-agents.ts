// What Signalbox adds to real agents: twenty Claude Code agents at once, each of which writes a file and commits it, run by
// `signalbox run` with twenty slots, beside `xargs -P 20` over `git clone` and the same program with the same prompt.
//
// Both sides talk to one scripted model on loopback, with a home of its own for each agent and a key that opens nothing.
// The agents of Signalbox have their sandbox and its tools; those of xargs have neither. Rounds of the two take turns, so
// that whatever else the machine does meets both, and the ratio is the median of the rounds' own. A round of each comes
// before them and is not counted: the daemon is up, and its copy of the repository made, once in the life of a project.

import { type ExecFileOptions, execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { must } from '../src/std/assert.ts';
import { builtFile } from '../src/std/built-file.ts';
import { type ModelServer, startModelServer } from '../test/model-server/model-server.ts';
import { cliEnvironment, cliVersions, realCli } from '../test/model-server/real-cli.ts';
import { type BenchFigure, figure, median } from './figure.ts';

const agents = 20;
const rounds = 3;
const files = 200;
const model = 'claude-haiku-4-5';
const prompt = 'Please act out editx';
const ratioMax = 1.05;
const run = promisify(execFile);

export async function benchRealAgents(): Promise<BenchFigure[]> {
  const cli = await realCli(must(cliVersions.at(-1), 'a version is tested'));
  if (cli.kind === 'missing') throw new Error(cli.why);
  const server = await startModelServer();
  const world = openWorld(cli.binary, server);
  server.act('editx', [
    { write: { path: 'made.txt', text: 'by an agent\n' } },
    { run: 'echo more >>f1.txt && git add -A && git commit -q -m "Made by an agent"' },
    { say: 'Made.' },
  ]);
  try {
    await world.bySignalbox(2);
    await world.byXargs(2);
    const ours: number[] = [];
    const theirs: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      // Neither is always the one that comes after the other.
      if (round % 2 === 0) ours.push(await world.bySignalbox(agents));
      theirs.push(await world.byXargs(agents));
      if (round % 2 === 1) ours.push(await world.bySignalbox(agents));
    }
    const ratio = median(ours.map((ms, at) => ms / must(theirs[at], 'there were as many rounds')));
    return [
      figure('real_agents.xargs', median(theirs), 'ms', 'none', true),
      figure('real_agents.signalbox', median(ours), 'ms', 'none', true),
      figure('real_agents.ratio_to_xargs', ratio, '×', `<= ${ratioMax}`, ratio <= ratioMax),
    ];
  } finally {
    await world.close();
    await server.close();
  }
}

/** Each side: how long so many agents took, in milliseconds. */
function openWorld(binary: string, server: ModelServer) {
  const dir = mkdtempSync(join(tmpdir(), 'signalbox-bench-'));
  const [repo, home] = [join(dir, 'repo'), join(dir, 'home')];
  const common = cliEnvironment(server);
  makeRepository(repo, { ...common, HOME: dir });
  const ours = { HOME: dir, SIGNALBOX_HOME: home, SIGNALBOX_CLAUDE: binary, SIGNALBOX_SLOTS: String(agents) };
  const options: ExecFileOptions = { cwd: repo, env: { ...common, ...ours }, maxBuffer: 1 << 28 };
  const sb = (...args: string[]) => run(process.execPath, [builtFile('main.cjs'), ...args], options);
  let places = 0;
  return {
    async bySignalbox(count: number): Promise<number> {
      await sb('up');
      const begun = performance.now();
      const prompts = Array.from({ length: count }, () => prompt);
      await sb('run', ...prompts, '--harness', 'claude', '--model', model);
      return performance.now() - begun;
    },
    async byXargs(count: number): Promise<number> {
      places += 1;
      const place = join(dir, `xargs-${places}`);
      mkdirSync(place);
      const env = { ...common, ...quiet, REPO: repo, PLACE: place, CLAUDE: binary, MODEL: model, PROMPT: prompt };
      const numbers = Array.from({ length: count }, (_, n) => n).join(' ');
      const all = `echo ${numbers} | xargs -n 1 -P ${agents} sh -c '${eachByXargs}' sh`;
      const begun = performance.now();
      const { stdout } = await run('sh', ['-c', all], { cwd: place, env, maxBuffer: 1 << 28 });
      const ms = performance.now() - begun;
      const made = execFileSync('git', ['-C', join(place, 'work-0'), 'log', '-1', '--format=%s'], { encoding: 'utf8' });
      if (made.trim() !== 'Made by an agent') throw new Error(`an agent of xargs did not work: ${stdout.slice(-400)}`);
      rmSync(place, { recursive: true, force: true });
      return ms;
    },
    async close(): Promise<void> {
      await sb('down', '--stop-agents').catch(() => undefined);
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

// As Signalbox starts it, but for what makes an agent steerable.
const quiet = { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', CLAUDE_CODE_MAX_RETRIES: '1', IS_SANDBOX: '1' };
const eachByXargs = `
  mkdir home-$1 && git clone -q "$REPO" work-$1 && cd work-$1 &&
  HOME="$PLACE/home-$1" CLAUDE_CONFIG_DIR="$PLACE/home-$1/claude" \
  GIT_AUTHOR_NAME=A GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=A GIT_COMMITTER_EMAIL=a@b \
  exec "$CLAUDE" -p --output-format stream-json --verbose --model "$MODEL" --permission-mode bypassPermissions \
    --setting-sources "" --strict-mcp-config "$PROMPT" >../out-$1 </dev/null`;

function makeRepository(path: string, env: NodeJS.ProcessEnv): void {
  mkdirSync(path);
  for (let n = 0; n < files; n += 1) writeFileSync(join(path, `f${n}.txt`), `${n}\n`.repeat(50));
  const who = ['-c', 'user.name=A', '-c', 'user.email=a@b'];
  const git = (...args: string[]) => execFileSync('git', [...who, ...args], { cwd: path, env });
  git('init', '-q');
  git('add', '.');
  git('commit', '-q', '-m', 'Start');
}
