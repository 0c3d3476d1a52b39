// How fast a plan of instant tasks goes through the daemon, against bare launches of the same agent in the same sandbox and
// as many at once: everything beyond the process is workspaces, saving, the journal and deciding. Rounds of the two take
// turns, and the share is the median of the rounds' own; the first round of each warms up and is not counted.

import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { loadConfig } from '../src/daemon/config.ts';
import { chooseConfinement } from '../src/daemon/confinement.ts';
import { createScripted } from '../src/harness/scripted/scripted.ts';
import { openHomes } from '../src/process/homes.ts';
import { openLaunches } from '../src/process/launch/launches.ts';
import { must } from '../src/std/assert.ts';
import { builtFile } from '../src/std/built-file.ts';
import { encoded } from '../test/harness/encoded.ts';
import { type BenchFigure, figure, median } from './figure.ts';

const slots = 8;
const rounds = 5;
const tasks = 200;
const bareLaunches = 100;
const script = JSON.stringify([{ say: 'Done.' }]);

export async function benchPlanRun(): Promise<BenchFigure[]> {
  const world = openWorld();
  try {
    const bare: number[] = [];
    const planned: number[] = [];
    await world.sb('up');
    for (let round = -1; round < rounds; round += 1) {
      const rates = [await bareRate(world), await planRate(world)] as const;
      if (round < 0) continue;
      bare.push(rates[0]);
      planned.push(rates[1]);
    }
    const share = median(planned.map((rate, at) => rate / (bare[at] ?? Number.NaN)));
    return [
      figure('plan_run.bare_launches', median(bare), 'launches/s', 'none', true),
      figure('plan_run.tasks', median(planned), 'tasks/s', 'none', true),
      figure('plan_run.share_of_bare_launches', share * 100, '%', '>= 70', share >= 0.7),
    ];
  } finally {
    await world.close();
  }
}

type World = ReturnType<typeof openWorld>;

/** Each gets its prompt and ends by itself, as in a task; only its transcript is kept. */
async function bareRate({ env, dir }: World): Promise<number> {
  const root = mkdtempSync(join(dir, 'bare-'));
  const config = loadConfig({ ...env, SIGNALBOX_HOME: root });
  for (const folder of ['launches', 'agents', 'work']) mkdirSync(join(root, folder), { recursive: true, mode: 0o700 });
  const { open, sandbox } = await chooseConfinement(config);
  const { confine } = await open();
  const launches = openLaunches({ root: join(root, 'launches'), confine });
  const homes = openHomes(join(root, 'agents'));
  const harness = createScripted(process.execPath);
  const never = new AbortController().signal;
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < bareLaunches) {
      const n = next++;
      const launchId = `launch_${n}`;
      const agentId = `agent_${n}`;
      const cwd = join(root, 'work', String(n));
      mkdirSync(cwd);
      const home = homes.path(agentId);
      const order = harness.command({ agentId, session: null, resume: false, settings: { script }, home });
      await homes.prepare(agentId, order.files ?? []);
      const reach = { writable: [cwd, home], readable: order.reads ?? [] };
      const spec = { launchId, argv: order.argv, env: order.env, cwd, ...(sandbox.works ? { reach } : {}) };
      await launches.start(spec, never);
      const told = encoded(harness, { recordId: `record_${n}`, body: { kind: 'text', text: 'go' } });
      const ended = encoded(harness, { recordId: `record_${n}-2`, body: { kind: 'end' } });
      const end = await launches.write(launchId, 0, told);
      let asked = false;
      await launches.watch(
        launchId,
        0,
        async ({ lines }) => {
          if (asked || !lines.some((line) => line.includes('"type":"result"'))) return;
          asked = true;
          await launches.write(launchId, end, ended);
        },
        never,
      );
    }
  };
  const begun = performance.now();
  await Promise.all(Array.from({ length: slots }, worker));
  return bareLaunches / ((performance.now() - begun) / 1_000);
}

async function planRate({ sb, repo }: World): Promise<number> {
  const file = join(repo, 'many.plan.yaml');
  const task = (n: number): string => `  t${n}: { prompt: go, settings: { script: '${script}' } }`;
  const lines = Array.from({ length: tasks }, (_, n) => task(n));
  writeFileSync(file, `name: many\ndefaults: { harness: scripted }\ntasks:\n${lines.join('\n')}\n`);
  const begun = performance.now();
  const run = JSON.parse(await sb('run', file, '--json')) as { outcome: string };
  if (run.outcome !== 'succeeded') throw new Error(`the plan ended as ${run.outcome}`);
  return tasks / ((performance.now() - begun) / 1_000);
}

function openWorld() {
  const dir = mkdtempSync(join(tmpdir(), 'signalbox-bench-'));
  const repo = join(dir, 'repo');
  const PATH = must(process.env['PATH'], 'programs are found by it');
  const env = { PATH, HOME: dir, SIGNALBOX_HOME: join(dir, 'home'), SIGNALBOX_SLOTS: String(slots) };
  mkdirSync(repo);
  for (const args of [
    ['init', '-q'],
    ['-c', 'user.name=A', '-c', 'user.email=a@b', 'commit', '-q', '--allow-empty', '-m', 'Start'],
  ])
    execFileSync('git', args, { cwd: repo, env: { PATH, HOME: dir, GIT_CONFIG_NOSYSTEM: '1' } });
  const sb = async (...args: string[]): Promise<string> => {
    const options = { cwd: repo, env, maxBuffer: 256 * 1024 * 1024 };
    return (await promisify(execFile)(process.execPath, [builtFile('main.cjs'), ...args], options)).stdout;
  };
  return {
    dir,
    repo,
    env,
    sb,
    async close(): Promise<void> {
      await sb('down', '--stop-agents').catch(() => undefined);
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
