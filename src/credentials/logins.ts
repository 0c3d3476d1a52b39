// What may be told of credentials, and how the agents themselves are asked about theirs. No secret leaves through here.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { claudeEnvironment } from '../harness/claude/environment.ts';
import { type Probe, probe } from '../process/run-probe.ts';
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
  readonly claudeBinary: string;
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
    check: () => checkClaude(config, credentials),
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

/** The CLI tells what it would use without asking anybody; whether that is let in only a request to a model shows. */
async function checkClaude(config: LoginOptions, credentials: Credentials): Promise<LoginCheck> {
  const found = credentials.find('claude');
  if (found === null) return { kind: 'none' };
  const home = mkdtempSync(join(tmpdir(), 'signalbox-login-'));
  try {
    const env = {
      ...claudeEnvironment(config.agentEnv),
      PATH: config.agentPath,
      HOME: home,
      CLAUDE_CONFIG_DIR: home,
      [found.kind.variable]: found.secret,
    };
    return checkOf(
      await probe(config.claudeBinary, ['auth', 'status', '--json'], env, checkMaxMs),
      config.claudeBinary,
    );
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function checkOf(told: Probe, binary: string): LoginCheck {
  if (told.kind === 'absent') return { kind: 'unasked', why: `Claude Code ("${binary}") is not installed` };
  const text = told.kind === 'said' ? told.text : '';
  try {
    const { loggedIn, authMethod } = JSON.parse(text) as { loggedIn?: unknown; authMethod?: unknown };
    if (loggedIn === true) return { kind: 'taken', by: String(authMethod) };
    if (loggedIn === false) return { kind: 'refused' };
  } catch {
    // Not what the versions that we know answer.
  }
  return { kind: 'unasked', why: 'this version of Claude Code does not tell' };
}
