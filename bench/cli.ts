// What a person waits for: `ps` with a daemon running, and a first command that has to start one. The built program and bare
// node in turns. Both bars are ratios: on a loaded machine milliseconds mean nothing.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BenchFigure, figure, median } from './figure.ts';

const rounds = 15;
const psMax = 1.6;
const firstMax = 6;

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
    // Not the very first of its kind: that one compiles.
    sb('ps', '--all');
    sb('down');
    const times: Record<'bare' | 'first' | 'ps', number[]> = { bare: [], first: [], ps: [] };
    for (let round = 0; round < rounds; round += 1) {
      times.bare.push(timed(() => execFileSync(process.execPath, ['-e', '0'], { stdio: 'ignore' })));
      times.first.push(timed(() => sb('ps', '--all')));
      times.ps.push(timed(() => sb('ps', '--all')));
      sb('down');
    }
    const [bare, first, ps] = [median(times.bare), median(times.first), median(times.ps)];
    return [
      figure('cli.bare_node', bare, 'ms', 'none', true),
      figure('cli.ps', ps, 'ms', 'none', true),
      figure('cli.ps_ratio_to_bare_node', ps / bare, '×', `<= ${psMax}`, ps / bare <= psMax),
      figure('cli.first_command_ratio_to_bare', first / bare, '×', `<= ${firstMax}`, first / bare <= firstMax),
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
