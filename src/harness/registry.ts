// The kinds of agents this daemon can run, and what may be asked of each.

import { parkingTools } from '../model/tool-calls/call.ts';
import { toolDefinitions } from '../model/tool-calls/tool-list.ts';
import type { Harness } from '../ports/harness.ts';
import { createClaude } from './claude/claude.ts';
import { claudeEnvironment } from './claude/environment.ts';
import { claudeSettingsProblem } from './claude/launch.ts';
import { type Reopening, reopenClaude, type SessionPlace } from './claude/reopen.ts';
import { commandSettingsProblem, createCommand } from './command/command.ts';
import { unknownSetting } from './known-settings.ts';
import { createScripted } from './scripted/scripted.ts';
import { parseScript, ScriptError } from './scripted/steps/script.ts';

export interface Harnesses {
  /** null: there is none of that name. */
  get(name: string): Harness | null;
  /** What is wrong with asking for this; null = nothing. */
  flaw(name: string, settings: Readonly<Record<string, string>>): string | null;
  /** How a person takes a session up in the agent's own interface; null = it has none. */
  reopen(name: string, session: SessionPlace): Reopening | null;
}

/** For tasks that name no model: said, because the CLI's own default changes with its version. */
const claudeModel = 'claude-sonnet-5';

export interface HarnessOptions {
  readonly agentPath: string;
  readonly agentEnv: Readonly<Record<string, string | undefined>>;
  readonly claudeBinary: string;
}

/** The credentials that launches get. */
export interface CredentialSource {
  /** null: there is none for this harness. */
  find(harness: string): { readonly kind: { readonly variable: string }; readonly secret: string } | null;
}

export function createHarnesses(
  { agentPath, agentEnv, claudeBinary }: HarnessOptions,
  credentials: CredentialSource,
): Harnesses {
  const env = { PATH: agentPath };
  const all = new Map<string, Harness>();
  for (const harness of [
    createScripted(process.execPath),
    createCommand({ env }),
    withCredential(
      createClaude({
        binary: claudeBinary,
        model: claudeModel,
        env: { ...env, ...claudeEnvironment(agentEnv) },
        tools: toolDefinitions,
        parkingTools,
      }),
      credentials,
    ),
  ]) {
    all.set(harness.name, harness);
  }
  return {
    get: (name) => all.get(name) ?? null,
    flaw(name, settings) {
      if (!all.has(name)) return `there is no harness "${name}"; there is: ${[...all.keys()].join(', ')}`;
      if (name === 'command') return commandSettingsProblem(settings);
      if (name === 'claude') return claudeSettingsProblem(settings);
      return scriptFlaw(settings);
    },
    reopen: (name, session) => (name === 'claude' ? reopenClaude(claudeBinary, session) : null),
  };
}

/** Of model and effort it makes nothing: what is meant for a paid agent can be tried on it first. */
const scriptedSettings = ['script', 'model', 'effort'];

/** Read at every launch, so that a login needs no restart. Without one the agent itself says that it is not let in. */
function withCredential(harness: Harness, credentials: CredentialSource): Harness {
  return {
    ...harness,
    command(agent) {
      const order = harness.command(agent);
      const found = credentials.find(harness.name);
      return found === null ? order : { ...order, env: { ...order.env, [found.kind.variable]: found.secret } };
    },
  };
}

function scriptFlaw(settings: Readonly<Record<string, string>>): string | null {
  const unknown = unknownSetting('scripted', scriptedSettings, settings);
  if (unknown !== null) return unknown;
  const { script } = settings as { script?: string };
  try {
    if (script !== undefined) parseScript(script);
    return null;
  } catch (error) {
    if (error instanceof ScriptError) return error.message;
    throw error;
  }
}
