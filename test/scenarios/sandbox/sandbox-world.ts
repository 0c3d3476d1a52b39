// A world for the sandbox's own tests: a user's home full of what nobody may see, a workspace that borrows its objects,
// an agent's home, and real launches in the sandbox of this machine.

import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { expect } from 'vitest';
import type { Reach } from '../../../src/process/confine.ts';
import { type Launches, openLaunches } from '../../../src/process/launch/launches.ts';
import { isWithin } from '../../../src/sandbox/mounts.ts';
import { openSandbox, probeSandbox, type SandboxOptions } from '../../../src/sandbox/sandbox.ts';
import { collect, never } from '../process/process-world.ts';

const path = process.env['PATH'] ?? '';
const nowhere = {
  home: '/nonexistent',
  cache: null,
  userHome: '/nonexistent',
  path,
  env: {},
  readable: [],
  writable: [],
};
export const probe = await probeSandbox(nowhere);
export const hasSandbox = probe.works;

/** What stands in each of them, and must never be read. */
export const canary = 'canary-7f3a';

export const canaryFiles = [
  '.aws/credentials',
  '.bash_history',
  '.cargo/credentials.toml',
  '.claude.json',
  '.claude/.credentials.json',
  '.codex/auth.json',
  '.config/gcloud/credentials.db',
  '.config/gh/hosts.yml',
  '.docker/config.json',
  '.git-credentials',
  '.gnupg/secring.gpg',
  '.kube/config',
  '.local/share/keyrings/login.keyring',
  '.mozilla/cookies.sqlite',
  '.netrc',
  '.npmrc',
  '.password-store/bank.gpg',
  '.pgpass',
  '.pypirc',
  '.ssh/id_ed25519',
  '.vault-token',
  'Documents/diary.txt',
];

export interface Said {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

export interface SandboxWorld {
  readonly dir: string;
  readonly home: string;
  readonly userHome: string;
  readonly workspace: string;
  readonly agentHome: string;
  readonly launches: Launches;
  /** A shell command as an agent in the sandbox, to its end. */
  sh(script: string, options?: Options): Promise<Said>;
  close(): Promise<void>;
}

export interface Options {
  readonly reach?: Partial<Reach>;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly argv?: readonly string[];
}

let worlds = 0;

export async function openSandboxWorld(
  given: Partial<SandboxOptions> = {},
  base = mkdtempSync(join(tmpdir(), 'signalbox-sandbox-')),
): Promise<SandboxWorld> {
  worlds += 1;
  // What people keep is not only below /tmp, which is hidden anyway; but that is where tests may write.
  const dir = base;
  const userHome = given.userHome ?? join(dir, 'user');
  const home = given.home ?? join(dir, 'signalbox');
  const workspace = join(home, 'work', 'workspaces', 'attempt_1');
  const agentHome = join(home, 'agents', 'agent_1');
  const made = isWithin(userHome, dir) ? [userHome] : [];
  for (const folder of [...made, workspace, agentHome]) mkdirSync(folder, { recursive: true });
  // A home that was lent, such as that of whoever runs the tests, is looked at and never written to.
  if (isWithin(userHome, dir)) for (const name of canaryFiles) place(join(userHome, name), canary);
  const options = { ...nowhere, home, userHome, ...given };
  const probed = await probeSandbox(options);
  if (!probed.works) throw new Error(probed.why);
  const root = join(home, 'launches');
  const launches = openLaunches({ root, confine: (await openSandbox(home, probed)).confine });
  let count = 0;
  return {
    dir,
    home,
    userHome,
    workspace,
    agentHome,
    launches,
    async sh(script, { reach = {}, env = {}, cwd = workspace, argv = ['sh', '-c', script] } = {}) {
      count += 1;
      const launchId = `s${process.pid}-${worlds}-${count}`;
      const { readable = [], writable = [workspace, agentHome] } = reach;
      const spec = { launchId, argv, cwd, reach: { readable, writable } };
      await launches.start({ ...spec, env: { PATH: options.path, HOME: agentHome, ...env } }, never);
      const { ending, lines } = await collect(launches, launchId);
      const err = execFileSync('cat', [join(root, launchId, 'err')], { encoding: 'utf8' });
      expect(ending, err).toMatchObject({ kind: 'ended' });
      return { status: (ending as { status: number }).status, out: lines.join('\n'), err };
    },
    async close() {
      for (const launchId of await launches.list()) await launches.signal(launchId, 'kill');
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** Only below the directory for temporary files: tests must not be able to hurt anybody's home. */
export function place(file: string, text: string, mode = 0o600): string {
  if (!isWithin(resolve(file), tmpdir())) throw new Error(`${file} is not a test's to write`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, mode);
  return file;
}
