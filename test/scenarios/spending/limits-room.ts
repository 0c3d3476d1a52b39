// A home on a disk of its own that is small: a mount namespace in which a tiny server runs the CLI. Its processes are
// seen from outside as all others are.

import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { until } from '../../until.ts';
import { type Ended, mainFile, type World } from '../daemon/daemon-world.ts';

export interface SmallRoom {
  sb(args: readonly string[]): Promise<Ended>;
  /** Takes room until so many megabytes are free. */
  fill(freeMb: number): Promise<void>;
  empty(): Promise<void>;
  killDaemon(): Promise<void>;
  close(): Promise<void>;
}

export function openSmallRoom(world: World, bytes: number, settings: Record<string, string>): SmallRoom {
  const server = resolve(import.meta.dirname, 'limits-room-server.mjs');
  const place = ['--dev-bind', '/', '/', '--dir', world.home, '--size', String(bytes), '--tmpfs', world.home];
  const child = spawn('bwrap', [...place, '--', process.execPath, server], {
    cwd: world.repo,
    env: { ...world.env, ...settings },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const gone = new Promise<void>((done) => child.once('close', () => done()));
  const waiting: ((answer: Ended) => void)[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => waiting.shift()?.(JSON.parse(line) as Ended));
  const order = (argv: readonly string[]): Promise<Ended> =>
    new Promise((done) => {
      waiting.push(done);
      child.stdin.write(`${JSON.stringify(argv)}\n`);
    });
  const sb = (args: readonly string[]): Promise<Ended> => order([process.execPath, mainFile, ...args]);
  const must = async (script: string, ...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await order(['sh', '-c', script, 'sh', ...args]);
    if (code !== 0) throw new Error(`${script}: ${stderr}`);
    return stdout;
  };
  const filler = join(world.home, 'filler');
  return {
    sb,
    async fill(freeMb) {
      // Never through an empty disk: the guard looks at it once a second.
      const resize =
        'if [ "$more" -gt 0 ]; then head -c "${more}M" /dev/zero >>"$1"; else truncate -s "${more}M" "$1"; fi';
      const free = `$(df -Pm "$2" | awk 'NR==2 {print $4}')`;
      await must(`more=$(( ${free} - $3 )); ${resize}`, filler, world.home, String(freeMb));
    },
    async empty() {
      await must('rm -f "$1"', filler);
    },
    async killDaemon() {
      const { pid } = JSON.parse(await must('cat "$1"', join(world.home, 'daemon.json'))) as { pid: number };
      process.kill(pid, 'SIGKILL');
      await until(() => !world.processes().some((each) => each.pid === pid), { what: 'the daemon to be gone' });
    },
    async close() {
      await sb(['down']);
      child.stdin.end();
      await gone;
    },
  };
}
