// What a person waits for `ps`: the built program against a daemon that has a run, and bare node beside it, in turns.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BenchFigure, figure, median } from './figure.ts';

const rounds = 15;
/** Of bare node's start: on a machine where that takes 100 ms this is the 200 ms that are promised. */
const ratioMax = 2;
const psMaxMs = 200;

export function benchCli(): BenchFigure[] {
  const main = fileURLToPath(new URL('../../../dist/main.cjs', import.meta.url));
  const home = mkdtempSync(join(tmpdir(), 'signalbox-bench-'));
  const env = { ...process.env, SIGNALBOX_HOME: join(home, 'home') };
  const sb = (...args: string[]): void => {
    execFileSync(process.execPath, [main, ...args], { cwd: home, env, stdio: 'ignore' });
  };
  try {
    const git = ['-c', 'user.name=A', '-c', 'user.email=a@b'];
    execFileSync('git', ['init', '--quiet', '.'], { cwd: home });
    execFileSync('git', [...git, 'commit', '--quiet', '--allow-empty', '-m', 'Start'], { cwd: home });
    writeFileSync(join(home, 'script.json'), '[{"say":"done"}]');
    sb('run', 'one', 'two', 'three', '--script', 'script.json');
    const [bare, ours]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round += 1) {
      bare.push(timed(() => execFileSync(process.execPath, ['-e', '0'], { stdio: 'ignore' })));
      ours.push(timed(() => sb('ps', '--all')));
    }
    const ratio = median(ours) / median(bare);
    return [
      figure('cli.bare_node', median(bare), 'ms', 'none', true),
      figure('cli.ps', median(ours), 'ms', `< ${psMaxMs}`, median(ours) < psMaxMs),
      figure('cli.ps_ratio_to_bare_node', ratio, '×', `<= ${ratioMax}`, ratio <= ratioMax),
    ];
  } finally {
    sb('down');
    rmSync(home, { recursive: true, force: true });
  }
}

function timed(work: () => void): number {
  const from = performance.now();
  work();
  return performance.now() - from;
}
