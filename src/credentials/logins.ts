// What may be shown of credentials, and how agents' programs are asked about theirs. No secret leaves this file.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { environmentOf } from '../harness/harnesses.ts';
import { agentKinds } from '../harness/registry.ts';
import { probe } from '../process/run-probe.ts';
import { must } from '../std/assert.ts';
import { Fault } from '../std/fault.ts';
import type { LoginCheck, Logins } from '../wire/login-state.ts';
import type { LoginView } from '../wire/status-views.ts';
import { type Credential, type Credentials, endingOf, openCredentials } from './credentials.ts';

export interface LoginOptions {
  /** Signalbox's home. */
  readonly home: string;
  readonly agentPath: string;
  readonly agentEnv: Readonly<Record<string, string | undefined>>;
  /** The programs of the agents, by harness. */
  readonly programs: Readonly<Record<string, string>>;
}

export function createLogins(config: LoginOptions): Logins {
  const credentials = openCredentials(config.home, config.agentEnv);
  const view = (harness: string): LoginView => loginView(credentials, harness);
  return {
    harnesses: [...credentials.needs.keys()],
    how: (harness) => must(credentials.needs.get(harness), 'it is one of them').how,
    view,
    path: credentials.path,
    async store(harness, secret) {
      const { title } = view(harness);
      return { harness, title, flaw: null, credential: shown(await credentials.store(harness, secret)) };
    },
    remove: credentials.remove,
    check: (harness) => check(config, credentials, harness),
  };
}

export function loginView(credentials: Credentials, harness: string): LoginView {
  const { title } = must(credentials.needs.get(harness), `${harness} needs a credential`);
  try {
    const found = credentials.find(harness);
    return { harness, title, credential: found === null ? null : shown(found), flaw: null };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { harness, title, credential: null, flaw: error.message };
  }
}

function shown({ kind: { words, variable }, source, secret }: Credential): NonNullable<LoginView['credential']> {
  return { words, variable, source, ending: endingOf(secret) };
}

const checkMaxMs = 20_000;

/** Asks the agent's own program, in a home of its own. */
async function check(config: LoginOptions, credentials: Credentials, harness: string): Promise<LoginCheck> {
  const kind = must(
    agentKinds.find(({ name }) => name === harness),
    `there is a harness ${harness}`,
  );
  const { credential, program } = kind;
  const found = credentials.find(harness);
  if (found === null || credential === undefined || program === undefined) return { kind: 'none' };
  const binary = config.programs[harness] ?? program.binary;
  const home = mkdtempSync(join(tmpdir(), 'signalbox-login-'));
  try {
    const env = {
      ...environmentOf(kind, config.agentEnv),
      PATH: config.agentPath,
      HOME: home,
      ...program.environment(home),
      [found.kind.variable]: found.secret,
    };
    return credential.check.read(await probe(binary, credential.check.args, env, checkMaxMs), binary);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}
