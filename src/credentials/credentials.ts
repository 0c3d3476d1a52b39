// The credentials of agents: from the environment that Signalbox was started in, or from a file for each harness that only its
// owner can read. The environment wins. A secret is only ever passed to an agent's environment; login files of other programs
// are never opened.

import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentKind } from '../harness/agent-kind.ts';
import { type CredentialKind, type CredentialNeed, kindOf } from '../harness/credential-spec.ts';
import { agentKinds } from '../harness/registry.ts';
import { must } from '../std/assert.ts';
import { Fault } from '../std/fault.ts';
import { diskFault, writeAtomic } from '../std/files.ts';
import { ownDirectory, readOwnFile } from '../std/own-directory.ts';

export interface Credential {
  readonly kind: CredentialKind;
  readonly secret: string;
  readonly source: 'environment' | 'file';
}

export interface Credentials {
  /** Harnesses that need credentials, and which. */
  readonly needs: ReadonlyMap<string, CredentialNeed>;
  /** The credential of an agent started now. Throws a Fault that says why a file is not used. */
  find(harness: string): Credential | null;
  path(harness: string): string;
  /** Replaces the file. */
  store(harness: string, secret: string): Promise<Credential>;
  /** false: there was none. */
  remove(harness: string): boolean;
}

const secretBytesMax = 16 * 1024;

export function credentialsDirectory(home: string): string {
  return join(home, 'credentials');
}

export function openCredentials(
  home: string,
  env: Readonly<Record<string, string | undefined>>,
  kinds: readonly AgentKind[] = agentKinds,
): Credentials {
  const directory = credentialsDirectory(home);
  const needs = new Map(
    kinds.flatMap(({ name, credential }) => (credential === undefined ? [] : [[name, credential]])),
  );
  const path = (harness: string): string => join(directory, harness);
  const needOf = (harness: string): CredentialNeed => must(needs.get(harness), `${harness} needs a credential`);
  return {
    needs,
    path,
    find(harness) {
      const need = needOf(harness);
      for (const kind of need.kinds) {
        const secret = env[kind.variable];
        if (secret !== undefined && secret !== '') return { kind, secret, source: 'environment' };
      }
      return readStored(directory, path(harness), need);
    },
    async store(harness, given) {
      const need = needOf(harness);
      const secret = given.trim();
      const flaw = flawOfSecret(secret, need);
      if (flaw !== null) throw new Fault('bad_request', `${flaw}; nothing was stored`);
      const kind = must(kindOf(need, secret), 'a need has a kind');
      await ownDirectory(home);
      await ownDirectory(directory);
      await writeAtomic(path(harness), `${kind.variable}=${secret}\n`);
      return { kind, secret, source: 'file' };
    },
    remove(harness) {
      needOf(harness);
      try {
        const there = existsSync(path(harness));
        rmSync(path(harness), { force: true });
        return there;
      } catch (error) {
        throw diskFault(error, path(harness));
      }
    },
  };
}

/** The last characters of a secret, by which its owner recognises it; null if it is too short. */
export function endingOf(secret: string): string | null {
  return secret.length >= 24 ? secret.slice(-4) : null;
}

function readStored(directory: string, path: string, { title, kinds }: CredentialNeed): Credential | null {
  const found = readOwnFile(directory, path);
  if (found.kind === 'none') return null;
  if (found.kind === 'unsafe') {
    const fix = found.open ? '`signalbox doctor --fix` closes it; consider making a new one' : 'remove it';
    throw new Fault('agent_unusable', `the credential of ${title} is not used: ${found.path} ${found.flaw}; ${fix}`);
  }
  const [, variable, secret = ''] = /^([A-Z_]+)=([!-~]+)\n?$/.exec(found.bytes.toString('utf8')) ?? [];
  const kind = kinds.find((each) => each.variable === variable);
  if (kind !== undefined) return { kind, secret, source: 'file' };
  throw new Fault(
    'agent_unusable',
    `the credential of ${title} is not used: ${path} does not hold ${kinds.map((each) => each.variable).join('= or ')}=; ` +
      'store it again with `signalbox login`',
  );
}

function flawOfSecret(secret: string, { title, kinds }: CredentialNeed): string | null {
  if (secret === '') return 'there was nothing to store';
  if (secret.startsWith('{'))
    return `that is a login file: ${title} needs ${kinds.map(({ words }) => words).join(' or ')}`;
  if (Buffer.byteLength(secret) > secretBytesMax) return 'that is too long for a key or token';
  return /^[!-~]+$/.test(secret) ? null : 'a key or token is one line of visible characters without spaces';
}
