// `run --plan`: a planner makes a plan of the request, which is checked as any other, shown, and run when a person says so.
// At the end one task answers the request.

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { checkPlan } from '../plan/check-plan.ts';
import { drawGraph } from '../plan/draw-graph.ts';
import type { PlanFile } from '../plan/plan-file.ts';
import { plannedSchema, plannerPrompt, withAnswer } from '../plan/planned.ts';
import { hasErrors, type Problem } from '../plan/problem.ts';
import { readPlan } from '../plan/read-plan.ts';
import type { Role, Roles } from '../plan/role.ts';
import { defined } from '../std/defined.ts';
import { Fault } from '../std/fault.ts';
import { clientIds } from '../wire/ids.ts';
import { runView, taskOutput } from '../wire/views.ts';
import { askYesNo } from './ask-yes-no.ts';
import { budgetOption } from './budget-option.ts';
import { type Context, exits } from './context.ts';
import { findRoles } from './find-roles.ts';
import { followRun } from './follow-run.ts';
import { harnessNames } from './harness-names.ts';
import { here } from './here.ts';
import { tellProblems } from './load-plan.ts';
import { plainText } from './plain-text.ts';
import { readScripts } from './read-scripts.ts';
import type { RunOptions } from './run.ts';
import { runPlan } from './run-plan.ts';
import { checkoutTop } from './user-git.ts';

/** How often the planner is told what is wrong with its plan. */
const correctionsMax = 2;

export async function planFirst(context: Context, request: string, options: RunOptions): Promise<number> {
  const { roles } = await findRoles(await checkoutTop(context.place, here()));
  const role = roles.get('planner');
  if (role === undefined) throw new Fault('bad_request', 'there is no role "planner": "signalbox roles" says why');
  const made = await makePlan(context, request, { role, roles, options, problems: [], left: correctionsMax });
  if (typeof made === 'number') return made;
  const { file, answer, drawing } = made;
  context.terminal.note(drawing.trimEnd());
  context.terminal.note(`The plan is in ${file}`);
  if (options.yes !== true && !(await askYesNo('Run it?'))) {
    context.terminal.note(`Not run. Change it as you like: signalbox run ${file}`);
    return context.terminal.isWatched ? exits.ok : exits.person;
  }
  const { base, sandbox, json, detach, stubs, yes, maxUsd, maxTokens, maxTurns, maxTime, maxAgents } = options;
  const { depth, agentsInAll } = options;
  const limits = { maxUsd, maxTokens, maxTurns, maxTime, maxAgents, depth, agentsInAll };
  const passed = { retries: 0, ...defined({ base, sandbox, json, detach, stubs, yes, ...limits }) };
  let runId: string | null = null;
  const code = await runPlan(context, [file], passed, (id) => {
    runId = id;
  });
  if (runId !== null && json !== true && detach !== true) await tellAnswer(context, runId, answer);
  return code;
}

interface Planning {
  readonly role: Role;
  readonly roles: Roles;
  readonly options: RunOptions;
  readonly problems: readonly Problem[];
  readonly left: number;
}

interface Made {
  readonly file: string;
  /** The name of the task that answers. */
  readonly answer: string;
  readonly drawing: string;
}

/** The file of a plan that can be run, or the exit code of what came in between. */
async function makePlan(context: Context, request: string, planning: Planning): Promise<Made | number> {
  const { role, roles, options, problems, left } = planning;
  const { client, place, terminal } = context;
  const asked = await requestOf(plannerPrompt(role, request, problems), role, options);
  const created = await client.post('/runs', asked, runView);
  const code = await followRun(context, created, false, 0, terminal.note);
  const [task] = (await client.get(`/runs/${created.id}`, runView)).tasks;
  if (task?.outcome?.kind !== 'succeeded') return code;
  const { output } = await client.get(`/tasks/${task.id}/output`, taskOutput);
  const { plan: whole, answer } = withAnswer(withDefaults(output as PlanFile, options), request);
  const folder = join(place.home, 'plans');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, `${created.id}.plan.yaml`);
  const text = stringify(whole);
  await writeFile(file, text, { mode: 0o600 });
  const read = readPlan(text, file);
  const given = { inputs: {}, complete: true, strict: false, roles, harnesses: harnessNames };
  const found = read.plan === null ? read.problems : [...read.problems, ...checkPlan(read.plan, given)];
  tellProblems(context, found);
  if (read.plan !== null && !hasErrors(found))
    return { file, answer, drawing: plainText(drawGraph(read.plan, 'text')) };
  if (left === 0) {
    terminal.note(`The planner made no plan that can be run. Its last one is in ${file}`);
    return exits.failed;
  }
  terminal.note('The planner is told, and plans again.');
  return makePlan(context, request, { ...planning, problems: found, left: left - 1 });
}

async function requestOf(prompt: string, role: Role, options: RunOptions) {
  const { harness, model = role.model, effort, base } = options;
  const [script] = await readScripts(options.script ?? [], 1);
  const tools = role.tools === null || harness !== 'claude' ? undefined : role.tools.join(',');
  const settings = defined({ model: model ?? undefined, effort, builtInTools: tools, script });
  return {
    id: clientIds.run(),
    name: 'plan',
    repo: { path: here(), base: base ?? null },
    budget: budgetOption(options),
    tasks: [
      {
        name: 'plan',
        prompt,
        settings,
        output: plannedSchema(),
        keeps: false,
        ...defined({ harness, sandbox: options.sandbox }),
      },
    ],
  };
}

/** Its tasks are done by the agents that were asked for, unless the plan says otherwise. */
function withDefaults(plan: PlanFile, { harness, model, effort }: RunOptions): PlanFile {
  return { ...plan, defaults: { ...defined({ harness, model, effort }), ...plan.defaults } };
}

async function tellAnswer({ client, terminal }: Context, runId: string, answer: string): Promise<void> {
  const task = (await client.get(`/runs/${runId}`, runView)).tasks.find(({ name }) => name === answer);
  const text = (task?.output as { answer?: string } | null)?.answer;
  if (text !== undefined) await terminal.print(`\n${plainText(text).trimEnd()}\n`);
}
