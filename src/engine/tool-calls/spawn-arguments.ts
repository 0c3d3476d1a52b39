// The arguments of `spawn`: role, harness settings, budget.

import type { NamedKind } from '../../model/attempt/artifact-kinds.ts';
import type { JsonObject } from '../../model/core/json.ts';
import { withModelNamed } from '../../model/core/model-tiers.ts';
import type { Run, Task } from '../../model/core/run.ts';
import type { TaskSpec } from '../../model/core/spec.ts';
import type { Budget } from '../../model/spending/budget.ts';
import type { CallRequest, SpawnRequest } from '../../model/tool-calls/call.ts';
import type { Ports } from '../../ports/engine-ports.ts';
import { defined } from '../../std/defined.ts';
import { flawOfPaths } from './path-arguments.ts';
import { flawOfAskedSchema } from './schema-arguments.ts';

export interface SpawnInput {
  readonly prompt: string;
  readonly name?: string;
  readonly role?: string;
  readonly harness?: string;
  readonly model?: string;
  readonly effort?: string;
  readonly script?: readonly unknown[];
  readonly writes?: readonly string[];
  readonly output?: JsonObject;
  readonly output_kind?: NamedKind;
  readonly inputs?: readonly string[];
  readonly budget?: {
    readonly tokens?: number;
    readonly usd?: number;
    readonly turns?: number;
    readonly minutes?: number;
  };
  readonly timeout_s?: number;
  readonly team?: string;
}

type SpawnPorts = Pick<Ports, 'harness' | 'harnessFlaw'>;

/** A text: what is wrong with it. */
export function readSpawn(ports: SpawnPorts, run: Run, task: Task, input: SpawnInput): CallRequest | string {
  const { prompt, name = null, role = null, inputs = [], timeout_s: time, team = null, writes = null } = input;
  const flaw = flawOfPaths(writes ?? []);
  if (flaw !== null) return flaw;
  if (input.output !== undefined && input.output_kind !== undefined)
    return '"output" and "output_kind" exclude each other';
  const wrong = input.output === undefined ? null : flawOfAskedSchema(input.output);
  if (wrong !== null) return `output: ${wrong}`;
  const roles = run.spec?.roles ?? {};
  if (role !== null && !Object.hasOwn(roles, role)) {
    return `there is no role "${role}" in this run; there are: ${Object.keys(roles).join(', ') || 'none'}`;
  }
  const work = workOf(ports, run, task, input, role === null ? {} : (roles[role]?.settings ?? {}));
  if (typeof work === 'string') return work;
  const before = role === null ? '' : `${roles[role]?.prompt.trim()}\n\n---\n\n`;
  return {
    tool: 'spawn_agent',
    name,
    prompt,
    before,
    role,
    work,
    writes,
    output: input.output ?? null,
    outputKind: input.output_kind ?? null,
    inputs,
    budget: budgetOf(input.budget),
    timeoutMs: time === undefined ? null : Math.max(1, Math.round(time * 1000)),
    team,
  };
}

/** null: as its parent has it. */
function workOf(
  ports: SpawnPorts,
  run: Run,
  { spec }: Task,
  { harness, model, effort, script }: SpawnInput,
  ofRole: Readonly<Record<string, string>>,
): SpawnRequest['work'] | string {
  const named = defined({ model, effort, script: script === undefined ? undefined : JSON.stringify(script) });
  const kind = harness ?? spec.harness;
  // As in plans: settings of a role for another harness are ignored.
  const fitting = Object.entries(ofRole).filter(([name, value]) => ports.harnessFlaw(kind, { [name]: value }) === null);
  if (harness === undefined && Object.keys(named).length + fitting.length === 0) return null;
  const { script: _, ...own } = kind === spec.harness ? spec.settings : {};
  const settings = withModelNamed(run.spec?.models ?? {}, kind, { ...own, ...Object.fromEntries(fitting), ...named });
  const flaw = ports.harnessFlaw(kind, settings) ?? widerBy(ports, spec, kind);
  if (flaw !== null) return flaw;
  const spends = ports.harness(kind)?.capabilities.includes('usage') ?? true;
  return { harness: kind, settings, spends };
}

/**
 * An agent that is limited to tools and permissions cannot grant more than it has: some harnesses ignore such limits.
 */
function widerBy(ports: SpawnPorts, parent: TaskSpec, kind: string): string | null {
  const heeds = (name: string): boolean => ports.harness(name)?.capabilities.includes('heeds') ?? false;
  if (heeds(kind) || !heeds(parent.harness) || !isHeld(parent)) return null;
  return (
    `agents of the harness "${kind}" do what they are told and ask nobody. You have not all tools, or have to ask before you ` +
    'use some: nobody does for you what you may not'
  );
}

function isHeld({ sandbox, permissions: { ask, deny }, settings }: TaskSpec): boolean {
  const limited = ['builtInTools', 'disallowedTools', 'cliSettings'].some((name) => settings[name] !== undefined);
  return limited || sandbox !== 'workspace' || ask.length + deny.length > 0;
}

function budgetOf(given: SpawnInput['budget']): Budget | null {
  if (given === undefined || Object.keys(given).length === 0) return null;
  const { tokens, usd, turns, minutes } = given;
  const microUsd = usd === undefined ? undefined : Math.max(1, Math.round(usd * 1e6));
  return defined({ tokens, microUsd, turns, timeMs: minutes === undefined ? undefined : minutes * 60_000 });
}
