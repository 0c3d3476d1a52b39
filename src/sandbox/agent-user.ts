// The user that an agent is inside the sandbox. Outside, its files belong to the user that runs Signalbox; inside it is
// not root where the machine has user namespaces.

import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readIfThere, writeAtomic } from '../std/files.ts';
import type { Mount } from './mounts.ts';

/** Which means of dropping privileges work here; found by trying. */
export interface Means {
  /** A user namespace: without one root keeps uid 0, though without capabilities. */
  readonly user: boolean;
  /** No user namespace can be created inside: most kernel exploits need one. */
  readonly closed: boolean;
}

/** The strictest first. Only root can do without a user namespace. */
export function meansToTry(uid: number): readonly Means[] {
  const always = [
    { user: true, closed: true },
    { user: true, closed: false },
  ];
  return uid === 0 ? [...always, { user: false, closed: false }] : always;
}

export interface AgentUser {
  readonly uid: number;
  readonly gid: number;
}

/** Inside, root becomes a user that exists nowhere else on this machine; any other user stays the same. */
export function agentUser(means: Means, outside: AgentUser, passwd: string): AgentUser {
  if (outside.uid !== 0 || !means.user) return outside;
  const taken = new Set(passwd.split('\n').map((line) => Number(line.split(':')[2])));
  let uid = firstUid;
  while (taken.has(uid)) uid += 1;
  return { uid, gid: uid };
}

const firstUid = 1000;

export function userOptions(means: Means, { uid, gid }: AgentUser): readonly string[] {
  if (!means.user) return [];
  const closed = means.closed ? ['--disable-userns'] : [];
  return ['--unshare-user', '--uid', String(uid), '--gid', String(gid), ...closed];
}

/** Many programs insist that their user has a name: lists of users and groups that include this one. */
export async function nameMounts(folder: string, inside: AgentUser): Promise<readonly Mount[]> {
  const [users, groups] = await Promise.all([read('/etc/passwd'), read('/etc/group')]);
  const mounts: Mount[] = [];
  const add = async (name: string, text: string, line: string): Promise<void> => {
    const from = join(folder, name);
    const wanted = `${text.trimEnd()}\n${line}\n`;
    // The same at nearly every start.
    if ((await readIfThere(from)) !== wanted) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeAtomic(from, wanted, { mode: 0o644 });
    }
    await chmod(from, 0o644);
    mounts.push({ kind: 'read', from, path: `/etc/${name}` });
  };
  const { uid, gid } = inside;
  if (!has(users, uid)) await add('passwd', users, `agent:x:${uid}:${gid}:agent:/tmp:/bin/sh`);
  if (!has(groups, gid)) await add('group', groups, `agent:x:${gid}:`);
  return mounts;
}

async function read(path: string): Promise<string> {
  return (await readIfThere(path)) ?? '';
}

function has(list: string, id: number): boolean {
  return list.split('\n').some((line) => line.split(':')[2] === String(id));
}
