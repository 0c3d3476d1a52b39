// Turns a client's request into the command that the engine gets: names become ids, and the daemon's own defaults are added.

import { kindSchemas } from '../../model/attempt/artifact-kinds.ts';
import type { AdoptedSession } from '../../model/core/adopted-session.ts';
import type { ToolsNamed } from '../../model/core/agent-tools.ts';
import type { Attachment } from '../../model/core/attachment.ts';
import type { Command } from '../../model/core/command.ts';
import type { IdSource, TaskId } from '../../model/core/ids.ts';
import { joinTiers, modelNamed, type TierTable, withModelNamed } from '../../model/core/model-tiers.ts';
import type { IntegrationSpec, RepoRef, RunSpec, SandboxKind, TaskCaps, TaskSpec } from '../../model/core/spec.ts';
import { type Budget, limiting } from '../../model/spending/budget.ts';
import { usualCaps } from '../../model/spending/caps.ts';
import { defined } from '../../std/defined.ts';
import { Fault } from '../../std/fault.ts';
import type { CreateRun } from '../../wire/request-schemas.ts';

const retryDelayMaxMs = 300_000;

export interface HarnessFacts {
  /** Whether its agents report usage. */
  tellsUsage(harness: string): boolean;
  /** The stall windows of its agents, if the task sets none. */
  stall(harness: string): Partial<Pick<TaskCaps, 'stallMs' | 'toolStallMs'>>;
}

/** What of the request is kept apart from the journal. */
export interface Stored {
  readonly tools?: ToolsNamed | null;
  /** Of the only task. */
  readonly adopts?: AdoptedSession | null;
  /** By the name of the task. */
  readonly attached?: ReadonlyMap<string, readonly Attachment[]>;
}

/** The request with the names of models in place of tiers. */
export function withModels(request: CreateRun, tiers: TierTable): CreateRun {
  const models = joinTiers(tiers, request.models);
  const tasks = request.tasks.map((task) => {
    const { harness, settings, fallback } = task;
    if (harness === undefined) return task;
    const named = fallback.flatMap((word) => modelNamed(models, harness, word) ?? []);
    return { ...task, settings: withModelNamed(models, harness, settings), fallback: named };
  });
  return { ...request, models: models as CreateRun['models'], tasks };
}

/** `sandbox`: for tasks that set none. */
export function planRun(
  request: CreateRun,
  repo: RepoRef,
  ids: IdSource,
  sandbox: SandboxKind,
  { tellsUsage, stall }: HarnessFacts,
  { tools = null, attached = new Map(), adopts = null }: Stored = {},
): Extract<Command, { type: 'submit' }> {
  const byName = new Map<string, TaskId>();
  for (const { name } of request.tasks) {
    if (byName.has(name)) throw new Fault('bad_request', `two tasks have the name "${name}"`);
    byName.set(name, ids.task());
  }
  const idOf = (name: string, of: string): TaskId => {
    const id = byName.get(name);
    if (id === undefined) throw new Fault('bad_request', `task "${of}" needs "${name}", which is not in this run`);
    return id;
  };
  const tasks = request.tasks.map((task): TaskSpec => {
    const {
      needs,
      tolerates,
      attemptsMax,
      conflictsMax,
      sendBacksMax,
      retryDelayMs,
      retryHow: how,
      outputKind,
      images: _,
      adopt: _a,
      ...same
    } = task;
    const ids = (names: readonly string[]) => names.map((need) => idOf(need, task.name));
    return {
      ...same,
      ...(outputKind === undefined ? {} : { outputKind, output: kindSchemas[outputKind] }),
      ...(attached.has(task.name) ? { attached: attached.get(task.name) ?? [] } : {}),
      ...(adopts === null ? {} : { adopts }),
      id: idOf(task.name, task.name),
      parent: null,
      needs: ids(needs),
      tolerates: ids(tolerates),
      // Gates and milestones have no agent.
      harness: task.harness ?? '',
      spends: task.harness !== undefined && tellsUsage(task.harness),
      budget: budgetOf(task.budget),
      treeBudget: budgetOf(task.treeBudget),
      retry: { attemptsMax, conflictsMax, sendBacksMax, delayMs: retryDelayMs, delayMaxMs: retryDelayMaxMs, how },
      ...machineDefaults(task, sandbox, stall),
    };
  });
  return { type: 'submit', run: runOf(request, repo, tools), tasks };
}

/** Without its tasks. What is not asked for is left out. */
function runOf(request: CreateRun, repo: RepoRef, tools: ToolsNamed | null): RunSpec {
  const { id, name, parallelMax, harnessMax, children, roles, integration, into, moveCheckout, history } = request;
  const budget = budgetOf(request.budget);
  const limits = {
    parallelMax,
    harnessMax,
    ...(budget === null ? {} : { budget }),
    ...(Object.keys(children).length === 0 ? {} : { children }),
  };
  const variables = Object.keys(request.variables);
  const how = history === undefined ? {} : { history: defined(history) };
  return {
    id,
    name,
    repo,
    limits,
    // Work that lands as a whole is integrated first.
    integrates: request.integrates || into !== null,
    ...integrationOf(integration),
    ...(Object.keys(request.models).length === 0 ? {} : { models: request.models }),
    ...(Object.keys(roles).length === 0 ? {} : { roles }),
    ...(request.setup === null ? {} : { setup: request.setup }),
    ...(variables.length === 0 ? {} : { variables }),
    ...(tools === null ? {} : { tools }),
    ...(into === null ? {} : { into, ...(moveCheckout ? { moveCheckout } : {}), ...how }),
  };
}

/** Defaults that depend on this machine: its caps, the stall window of the harness, the sandbox that works here. */
function machineDefaults(
  { harness, caps, sandbox }: CreateRun['tasks'][number],
  usualSandbox: SandboxKind,
  stall: HarnessFacts['stall'],
): Pick<TaskSpec, 'caps' | 'sandbox'> {
  return {
    caps: { ...usualCaps, ...(harness === undefined ? {} : stall(harness)), ...defined(caps) },
    sandbox: sandbox ?? usualSandbox,
  };
}

/** An empty list means no checks at all. */
function integrationOf({ checks }: CreateRun['integration']): { integration?: IntegrationSpec } {
  return checks === undefined ? {} : { integration: { checks } };
}

function budgetOf(given: CreateRun['budget']): Budget | null {
  return given === null ? null : limiting(defined(given));
}
