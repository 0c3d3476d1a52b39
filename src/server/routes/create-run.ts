// Creates a run from a client's request: refused whole with a sentence, or stored whole.

import { schemaFlaw } from '../../engine/watch/check-output.ts';
import type { JsonObject } from '../../model/core/json.ts';
import { isTier } from '../../model/core/model-tiers.ts';
import { Fault } from '../../std/fault.ts';
import type { CreateRun } from '../../wire/request-schemas.ts';
import { scriptedHarness } from '../../wire/task-request.ts';
import type { Runs } from '../views/find-runs.ts';
import { requireTarget } from './landing-routes.ts';
import { sendOrder } from './person-orders.ts';
import type { Served } from './route-context.ts';
import { flawOfImages, storeImages } from './store-images.ts';
import { planRun, withModels } from './submit-request.ts';

export async function createRun(served: Served, runs: Runs, given: CreateRun, signal: AbortSignal): Promise<object> {
  const request = withModels(given, served.tiers);
  const { works, why } = served.about.sandbox;
  const dayLimited = await served.engine.look(({ host }) => host.dayBudget?.microUsd !== undefined);
  for (const task of request.tasks) {
    const { name, harness, settings, sandbox, output } = task;
    const limited =
      dayLimited || [request.budget, task.budget, task.treeBudget].some((each) => Boolean(each?.microUsd));
    const models = [settings['model'] ?? [], task.fallback].flat();
    const ofHarness = harness === undefined ? null : flawOfHarness(served, harness, { settings, models, limited });
    const flaw =
      ofHarness ??
      flawOfImages(served, task) ??
      flawOfAdopting(served, request, task) ??
      (sandbox === 'workspace' && !works ? noSandbox(why) : null) ??
      (output === null ? null : flawOfOutput(output));
    if (flaw !== null) throw new Fault('bad_request', `task "${name}": ${flaw}`);
  }
  // A repeated request whose answer was lost: the run exists already.
  if ((await served.journal.head(request.id)) !== null) return runs.view(request.id);
  for (const harness of new Set(request.tasks.flatMap((task) => task.harness ?? []))) await served.requireFit(harness);
  const { notes, ...repo } = await served.decideBase(request.repo, signal);
  if (request.into !== null) await requireTarget(served, repo.path, request.into, signal);
  // Before the run is created: its first agent may start at once.
  if (Object.keys(request.variables).length > 0) await served.variables.store(request.id, request.variables);
  const tools = request.tools === undefined ? null : await served.tools.store(request.id, request.tools);
  const attached = await storeImages(served, request.tasks);
  const [{ adopt } = {}] = request.tasks;
  const adopts = adopt === undefined ? null : await served.adopted.store(request.id, adopt);
  const order = planRun(request, repo, served.ids, works ? 'workspace' : 'none', served, { tools, attached, adopts });
  await sendOrder(served.engine, request.id, order);
  return {
    ...(await runs.view(request.id)),
    notes: [...notes, ...toolNotes(served, request), ...tierNotes(served, given, request)],
  };
}

/** Which of the tools that were sent some of its agents do not get. */
function toolNotes(served: Served, { tools, tasks }: CreateRun): string[] {
  if (tools === undefined) return [];
  const sent = {
    mcp: ['MCP servers', Object.keys(tools.servers).length],
    skills: ['skills', tools.skills.length],
    hooks: ['hooks or other settings', tools.settings === undefined ? 0 : 1],
  } as const;
  return [...new Set(tasks.flatMap(({ harness }) => harness ?? []))].flatMap((harness) => {
    const taken = served.capabilities(harness);
    const lost = (['mcp', 'skills', 'hooks'] as const).filter((kind) => sent[kind][1] > 0 && !taken.includes(kind));
    const names = lost.map((kind) => sent[kind][0]);
    return names.length === 0 ? [] : [`Agents of ${harness} take no ${names.join(' and no ')}: they work without.`];
  });
}

/** Tiers for which an agent has no model: its own default may cost more than the tier promises. */
function tierNotes({ flawOfSettings }: Served, { tasks }: CreateRun, { models }: CreateRun): string[] {
  const lost = tasks.flatMap(({ harness, settings: { model = '' } }) => {
    const isLost = harness !== undefined && isTier(model) && models[harness]?.[model] === undefined;
    return isLost && flawOfSettings(harness, { model: 'any' }) === null && harness !== scriptedHarness
      ? [
          `Agents of ${harness} have no model for "${model}": they use their own default. The key "models" of the configuration names one.`,
        ]
      : [];
  });
  return [...new Set(lost)];
}

function flawOfHarness(
  served: Served,
  harness: string,
  { settings, models, limited }: { settings: Record<string, string>; models: readonly string[]; limited: boolean },
): string | null {
  return (
    served.flawOfSettings(harness, settings) ??
    served.flawOfModels(harness, models) ??
    (limited ? served.flawOfPrices(harness, models) : null)
  );
}

function flawOfAdopting(
  served: Served,
  { tasks }: CreateRun,
  { adopt, harness = '' }: CreateRun['tasks'][number],
): string | null {
  if (adopt === undefined) return null;
  if (tasks.length > 1) return 'a session is adopted by a run of one task';
  return served.capabilities(harness).includes('adopt') ? null : `a session of "${harness}" cannot be adopted yet`;
}

function flawOfOutput(schema: JsonObject): string | null {
  const flaw = schemaFlaw(schema);
  return flaw === null ? null : `its output schema is not a valid JSON Schema: ${flaw}`;
}

function noSandbox(why: string | null): string {
  return `there is no sandbox here: ${why}; see "signalbox doctor" for a fix, or run without one: --sandbox none`;
}
