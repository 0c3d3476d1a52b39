// A world for tests of confinement: a user's home full of secrets, a workspace, an agent's home, and real launches under one
// of the ways to confine them.

import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { expect } from 'vitest';
import type { Confine, Reach } from '../../src/process/confine.ts';
import { type Launches, openLaunches } from '../../src/process/launch/launches.ts';
import { isWithin } from '../../src/sandbox/mounts.ts';
import { openSandbox, probeSandbox, type SandboxOptions } from '../../src/sandbox/sandbox.ts';
import { collect, never } from '../scenarios/process/process-world.ts';

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

/** The content of every file that no agent may read. */
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
  /** Of Signalbox. */
  readonly home: string;
  readonly userHome: string;
  readonly workspace: string;
  readonly agentHome: string;
  readonly launches: Launches;
  /** Runs a shell command as an agent, to its end. */
  sh(script: string, options?: Options): Promise<Said>;
  /** Starts a shell command as an agent; returns its launch. */
  start(script: string, options?: Options): Promise<string>;
  close(): Promise<void>;
}

export interface Options {
  readonly reach?: Partial<Reach>;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly argv?: readonly string[];
}

let worlds = 0;

/** The sandbox `workspace`, made with bubblewrap. */
export async function openSandboxWorld(
  given: Partial<SandboxOptions> = {},
  base = mkdtempSync(join(tmpdir(), 'signalbox-sandbox-')),
): Promise<SandboxWorld> {
  const userHome = given.userHome ?? join(base, 'user');
  const home = given.home ?? join(base, 'signalbox');
  makePlaces({ dir: base, home, userHome });
  const options = { ...nowhere, home, userHome, ...given };
  const probed = await probeSandbox(options);
  if (!probed.works) throw new Error(probed.why);
  const { confine } = await openSandbox(home, probed);
  return worldOf({ dir: base, home, userHome }, confine, options.path, true);
}

/** A confinement that hides no files and takes no list of what an agent may reach. */
export function openConfinedWorld(confine: Confine): SandboxWorld {
  const dir = mkdtempSync(join(tmpdir(), 'signalbox-sandbox-'));
  const places = { dir, home: join(dir, 'signalbox'), userHome: join(dir, 'user') };
  makePlaces(places);
  return worldOf(places, confine, path, false);
}

interface Places {
  readonly dir: string;
  readonly home: string;
  readonly userHome: string;
}

function makePlaces({ dir, home, userHome }: Places): void {
  // A home that is not ours, such as that of the user who runs the tests, is only read.
  const ours = isWithin(userHome, dir);
  for (const folder of [...(ours ? [userHome] : []), workspaceOf(home), agentHomeOf(home)])
    mkdirSync(folder, { recursive: true });
  if (ours) for (const name of canaryFiles) place(join(userHome, name), canary);
}

const workspaceOf = (home: string): string => join(home, 'work', 'workspaces', 'attempt_1');
const agentHomeOf = (home: string): string => join(home, 'agents', 'agent_1');

function worldOf({ dir, home, userHome }: Places, confine: Confine, path: string, takesReach: boolean): SandboxWorld {
  worlds += 1;
  const world = worlds;
  const root = join(home, 'launches');
  const launches = openLaunches({ root, confine });
  const workspace = workspaceOf(home);
  const agentHome = agentHomeOf(home);
  let count = 0;
  const start: SandboxWorld['start'] = async (script, options = {}) => {
    const { reach = {}, env = {}, cwd = workspace, argv = ['sh', '-c', script] } = options;
    count += 1;
    const launchId = `s${process.pid}-${world}-${count}`;
    const { readable = [], writable = [workspace, agentHome] } = reach;
    const given = takesReach ? { reach: { readable, writable } } : {};
    await launches.start({ launchId, argv, cwd, ...given, env: { PATH: path, HOME: agentHome, ...env } }, never);
    return launchId;
  };
  return {
    dir,
    home,
    userHome,
    workspace,
    agentHome,
    launches,
    start,
    async sh(script, options) {
      const launchId = await start(script, options);
      const { ending, lines } = await collect(launches, launchId);
      const err = readFileSync(join(root, launchId, 'err'), 'utf8');
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
