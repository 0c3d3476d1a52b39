// Which agent, with which model, works on a task that names none, and why: from the command line, else from the configuration,
// else an agent that is installed and has credentials. Never the scripted agent, which does no work: it has to be named.

import type { Configuration } from '../../configuration/configuration.ts';
import { shownModel } from '../../plan/tier-models.ts';
import { Fault } from '../../std/fault.ts';
import { plainLine } from '../../std/plain-text.ts';
import { type AgentList, agentList } from '../../wire/agent-views.ts';
import { scriptedHarness } from '../../wire/task-request.ts';
import type { Context } from '../client/context.ts';

/** Options of the command line. */
export interface AgentOptions {
  readonly harness?: string;
  readonly model?: string;
  readonly effort?: string;
  readonly script?: readonly string[];
  readonly argv?: string;
}

export interface ChosenAgent {
  readonly harness: string;
  /** undefined: the agent's own default. */
  readonly model: string | undefined;
  readonly effort: string | undefined;
  /** The agent and the reason, for people. */
  readonly words: string;
}

/** `top`: of the checkout, if there is one. */
export async function chooseAgent(
  { client, lent }: Pick<Context, 'client' | 'lent'>,
  options: AgentOptions,
  { values, sources }: Configuration,
  top: string | null,
): Promise<ChosenAgent> {
  const named = namedAgent(options);
  const found =
    named ??
    (values.harness === undefined
      ? usableAgent(await client.get(`/agents${top === null ? '' : `?repo=${encodeURIComponent(top)}`}`, agentList))
      : { harness: values.harness, why: `from ${sources.harness ?? 'the configuration'}` });
  const { harness, why } = found;
  // A configured model belongs to the agent that it is configured for.
  const fits = named === null || values.harness === undefined || values.harness === harness;
  const model = options.model ?? (fits ? values.model : undefined);
  const effort = options.effort ?? (fits ? values.effort : undefined);
  const hasModels = lent.installableHarnesses.includes(harness);
  const chosen = model === undefined ? null : shownModel(lent.tiers, values.models ?? {}, harness, model);
  const shown = chosen ?? lent.usualModels.get(harness);
  const withModel = shown === undefined ? (hasModels ? ', its own default model' : '') : `, model ${shown}`;
  return { harness, model, effort, words: plainLine(`Agent: ${lent.harnessTitle(harness)}${withModel} (${why})`) };
}

interface Reasoned {
  readonly harness: string;
  readonly why: string;
}

function namedAgent({ harness, script, argv }: AgentOptions): Reasoned | null {
  if (harness !== undefined) return { harness, why: '--harness' };
  if (script !== undefined) return { harness: scriptedHarness, why: '--script: it calls no model' };
  return argv === undefined ? null : { harness: 'command', why: '--argv' };
}

export function usableAgent({ agents, lastUsed }: AgentList): Reasoned {
  const usable = agents.filter(({ flaw }) => flaw === null);
  const last = usable.find(({ harness }) => harness === lastUsed);
  if (last !== undefined) return { harness: last.harness, why: 'last used in this repository' };
  const [first, ...others] = usable;
  if (first === undefined) throw new Fault('agent_unusable', nobody(agents));
  const why =
    others.length === 0
      ? 'the only one that is installed and logged in here'
      : `the first of ${usable.length} that are installed and logged in here`;
  return { harness: first.harness, why };
}

function nobody(agents: AgentList['agents']): string {
  const each = agents.map(({ flaw }) => `  - ${flaw ?? ''}`);
  return ['no agent can work here, so nothing was started. One of these is enough:', ...each, other].join('\n');
}

const other = '  - any program of yours: --argv "<command>" ("$1" is the prompt)';
