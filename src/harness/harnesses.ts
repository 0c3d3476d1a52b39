// The harnesses that this daemon can run.

import { parkingTools } from '../model/tool-calls/call.ts';
import { toolDefinitions } from '../model/tool-calls/tool-list.ts';
import type { Harness, Reopening, SessionPlace } from '../ports/harness.ts';
import type { AgentKind } from './agent-kind.ts';
import type { CredentialKind } from './credential-spec.ts';

export interface Harnesses {
  /** null: there is no harness of that name. */
  get(name: string): Harness | null;
  /** What is wrong with these settings; null = nothing. */
  flaw(name: string, settings: Readonly<Record<string, string>>): string | null;
  /** How a person resumes a session in the agent's own interface; null = it has none. */
  reopen(name: string, session: SessionPlace): Reopening | null;
}

export interface HarnessOptions {
  readonly agentPath: string;
  readonly agentEnv: Readonly<Record<string, string | undefined>>;
  /** By the name of the harness. */
  readonly programs: Readonly<Record<string, string>>;
}

/** The credentials that launches get. */
export interface CredentialSource {
  /** null: there is none for this harness. */
  find(harness: string): { readonly kind: Pick<CredentialKind, 'variable' | 'as'>; readonly secret: string } | null;
}

export async function createHarnesses(
  kinds: readonly AgentKind[],
  options: HarnessOptions,
  credentials: CredentialSource,
): Promise<Harnesses> {
  const made = await Promise.all(
    kinds.map(async (kind) => {
      const harness = await kind.create({
        nodePath: process.execPath,
        binary: options.programs[kind.name] ?? '',
        env: { PATH: options.agentPath, ...environmentOf(kind, options.agentEnv) },
        tools: toolDefinitions,
        parkingTools,
      });
      return kind.credential === undefined ? harness : withCredential(harness, credentials);
    }),
  );
  const all = new Map(made.map((harness) => [harness.name, harness]));
  return {
    get: (name) => all.get(name) ?? null,
    flaw(name, settings) {
      const harness = all.get(name);
      if (harness === undefined) return `there is no harness "${name}"; there is: ${[...all.keys()].join(', ')}`;
      return harness.settingsFlaw(settings);
    },
    reopen: (name, session) => all.get(name)?.reopen?.(session) ?? null,
  };
}

/** The part of the daemon's environment that agents of this kind get: the address of their service, never a credential. */
export function environmentOf(
  { passedOn = [] }: AgentKind,
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const allowed = passedOn.flatMap((name) => {
    const value = env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(allowed);
}

/** Read at every launch, so that a login needs no restart. Without a credential the agent itself reports that it is missing. */
function withCredential(harness: Harness, credentials: CredentialSource): Harness {
  return {
    ...harness,
    command(agent) {
      const order = harness.command(agent);
      const found = credentials.find(harness.name);
      if (found === null) return order;
      const { variable, as = variable } = found.kind;
      return { ...order, env: { ...order.env, [as]: found.secret } };
    },
  };
}
