// What `doctor --fix` repairs by itself: permissions of the home, and leftovers of dead daemons. It never removes work,
// journal or secrets, and never touches anything of a running daemon.

import { chmodSync, lstatSync, readdirSync, readFileSync, renameSync, rmSync, type Stats } from 'node:fs';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { errnoOf } from '../std/files.ts';

export interface HomePlace {
  readonly home: string;
  readonly socketPath: string;
}

export interface Repair {
  readonly path: string;
  /** What is wrong, as a phrase after the path. */
  readonly flaw: string;
  /** What was done, in one word; null: the flaw was gone already. */
  act(): Promise<string | null>;
}

export async function findRepairs({ home, socketPath }: HomePlace): Promise<readonly Repair[]> {
  return [
    ...openDoors(home),
    ...[home, ...secretPlaces(home), join(home, 'launches')].flatMap(temporaries),
    ...(await staleSocket(socketPath)),
    ...staleNote(join(home, 'daemon.json')),
  ];
}

/** Directories in which secrets are. */
function secretPlaces(home: string): string[] {
  return [join(home, 'credentials'), join(home, 'signing')];
}

/** Our directories and files that other users can access. Links and files of other users are left alone. */
function openDoors(home: string): Repair[] {
  const places = secretPlaces(home);
  // Public files are no secret.
  const files = places.flatMap((place) =>
    namesIn(place)
      .filter((name) => !isPublic.test(name))
      .map((name) => join(place, name)),
  );
  const all = [
    ...[home, ...places].map((path) => ({ path, mode: 0o700 })),
    ...files.map((path) => ({ path, mode: 0o600 })),
  ];
  return all.flatMap(({ path, mode }): Repair[] => {
    const found = lookAt(path);
    const ours = found !== undefined && !found.isSymbolicLink() && found.uid === process.getuid?.();
    if (!ours || (found.mode & 0o077) === 0) return [];
    const warning = mode === 0o600 ? '; its secret may be known, so consider replacing it' : '';
    const flaw = `is accessible to other users${warning}`;
    const act = async (): Promise<string> => {
      chmodSync(path, mode);
      return 'restricted to you';
    };
    return [{ path, flaw, act }];
  });
}

const isPublic = /^(key\.pub|allowed_signers)$/;
const ofProcess = [/^\.spare-(\d+)-\w+$/, /^\.doctor-(\d+)$/, /\.(\d+)-\d+\.tmp$/];

/** Temporary files of a process that is gone. */
function temporaries(directory: string): Repair[] {
  return namesIn(directory).flatMap((name): Repair[] => {
    const pid = ofProcess.map((pattern) => Number(pattern.exec(name)?.[1])).find((number) => number > 0);
    if (pid === undefined || isAlive(pid)) return [];
    const path = join(directory, name);
    const act = async (): Promise<string> => {
      rmSync(path, { recursive: true, force: true });
      return 'removed';
    };
    return [{ path, flaw: `was left by process ${pid}, which is gone`, act }];
  });
}

async function staleSocket(path: string): Promise<Repair[]> {
  if (!(await isDeaf(path))) return [];
  const act = (): Promise<string | null> => removeIfStill(path, isDeaf);
  return [{ path, flaw: 'is a socket without a listener', act }];
}

function staleNote(path: string): Repair[] {
  const names = async (file: string): Promise<boolean> => namesTheDead(file);
  if (!namesTheDead(path)) return [];
  return [{ path, flaw: 'names a daemon that is gone', act: () => removeIfStill(path, names) }];
}

/** Move it aside and check again: a daemon that is just starting may have put its own file there. */
async function removeIfStill(path: string, isStale: (path: string) => Promise<boolean>): Promise<string | null> {
  const aside = join(dirname(path), `.doctor-${process.pid}`);
  renameSync(path, aside);
  if (await isStale(aside)) {
    rmSync(aside, { force: true });
    return 'removed';
  }
  renameSync(aside, path);
  return null;
}

function isDeaf(path: string): Promise<boolean> {
  if (lookAt(path)?.isSocket() !== true) return Promise.resolve(false);
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(false);
    });
    socket.once('error', (error) => resolve(errnoOf(error) === 'ECONNREFUSED'));
  });
}

function namesTheDead(path: string): boolean {
  try {
    const { pid } = JSON.parse(readFileSync(path, 'utf8')) as { pid?: unknown };
    return typeof pid === 'number' && pid > 0 && !isAlive(pid);
  } catch {
    return false;
  }
}

function namesIn(directory: string): string[] {
  if (lookAt(directory)?.isDirectory() !== true) return [];
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

/** An unreadable path is reported by the finding about the home. */
function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return errnoOf(error) !== 'ESRCH';
  }
}
