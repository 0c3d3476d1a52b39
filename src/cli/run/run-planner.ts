// `run --plan`: a planner makes a plan from the request, which is validated like any other, shown, and run when a person
// agrees. At the end one task answers the request.

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { checkPlan } from '../../plan/check/check-plan.ts';
import type { PlanFile } from '../../plan/file/plan-file.ts';
import { hasErrors, type Problem } from '../../plan/file/problem.ts';
import { readPlan } from '../../plan/file/read-plan.ts';
import type { Plan } from '../../plan/plan.ts';
import { agentsForPlanner } from '../../plan/planner-agents.ts';
import { withAnswer } from '../../plan/planner-plan.ts';
import { drawGraph } from '../../plan/preview/draw-graph.ts';
import { defined } from '../../std/defined.ts';
import { Fault } from '../../std/fault.ts';
import { plainText } from '../../std/plain-text.ts';
import { agentList } from '../../wire/agent-views.ts';
import { runView, taskOutput } from '../../wire/views.ts';
import { type Context, exits } from '../client/context.ts';
import { here } from '../client/current-directory.ts';
import { checkoutTop } from '../client/user-git.ts';
import { type BudgetOptions, budgetAfter } from '../options/budget-option.ts';
import { askYesNo } from '../terminal/ask-yes-no.ts';
import { chooseAgent } from './choose-agent.ts';
import { configurationHere } from './configuration-here.ts';
import { findRoles } from './find-roles.ts';
import { followRun } from './follow-run.ts';
import { tellProblems } from './load-plan.ts';
import { ownPrices } from './own-prices.ts';
import { passedVariables } from './passed-variables.ts';
import { refuseOptions, withPersonsWords } from './planner-options.ts';
import { type Asked, plannerRequest } from './planner-request.ts';
import { readPrompts } from './prompt-files.ts';
import { readScripts } from './read-scripts.ts';
import type { RunOptions } from './run.ts';
import { runPlan } from './run-plan.ts';

/** How often the planner is sent the problems of its plan. */
const correctionsMax = 2;

export async function planFirst(context: Context, words: readonly string[], options: RunOptions): Promise<number> {
  refuseOptions(options);
  const [request, ...others] = [...words, ...(await readPrompts(options.file ?? []))];
  if (request === undefined || others.length > 0)
    throw new Fault('bad_request', '--plan takes one prompt: what the plan is to be for');
  const top = await checkoutTop(context.place, here());
  const { roles } = await findRoles(top);
  const role = roles.get('planner');
  if (role === undefined) throw new Fault('bad_request', 'there is no role "planner": "signalbox roles" says why');
  const scripts = await scriptsOf(options.script ?? []);
  const { prices } = await ownPrices(context.place.home, options.maxUsd !== undefined);
  const harnesses = await context.lent.harnesses();
  const configuration = await configurationHere(context, top);
  const agent = await chooseAgent(context, options, configuration, top);
  const variables = passedVariables(context, options.env, configuration);
  const models = configuration.values.models ?? {};
  const said = { request, role, roles, options, agent, variables, models, prices, harnesses, ...scripts };
  refuseWrongWords({ ...said, agents: '' });
  // Last: this starts a daemon.
  const { agents: fits } = await context.client.get('/agents', agentList);
  const usable = fits.filter(({ harness, flaw }) => flaw === null || harness === agent.harness);
  const agents = agentsForPlanner(usable, agent.harness, models, { harnesses, own: prices.own });
  const asked: Asked = { ...said, agents };
  context.terminal.note(agent.words);
  const made = await makePlan(context, asked, options, [], correctionsMax);
  if (typeof made === 'number') return made;
  const { file, answer, drawing, remark, left } = made;
  context.terminal.note(drawing.trimEnd());
  if (remark !== '') context.terminal.note(remark);
  context.terminal.note(`The plan is in ${file}`);
  if (options.yes !== true && !(await askYesNo('Run it?'))) {
    context.terminal.note(`Not run. Change it as you like: signalbox run ${file}`);
    return context.terminal.isWatched ? exits.ok : exits.person;
  }
  const { base, sandbox, json, detach, verbose, stubs, strict, name, yes, depth, agentsInAll, env } = options;
  const ofRun = defined({ base, sandbox, json, detach, verbose, stubs, strict, name, yes, depth, agentsInAll, env });
  let runId: string | null = null;
  const code = await runPlan(
    context,
    [file],
    { retries: 0, ...ofRun, ...left },
    {
      agent,
      onCreated(id) {
        runId = id;
      },
    },
  );
  if (runId !== null && json !== true && detach !== true) await tellAnswer(context, runId, answer);
  return code;
}

async function scriptsOf(files: readonly string[]): Promise<Pick<Asked, 'plannerScript' | 'answerScript'>> {
  if (files.length > 2)
    throw new Fault('bad_request', '--plan takes a script for the planner, and a second one for the answer');
  const [plannerScript, answerScript] = await readScripts(files, files.length);
  return { plannerScript, answerScript };
}

interface Made {
  readonly file: string;
  /** The name of the task that answers the request. */
  readonly answer: string;
  readonly drawing: string;
  /** What the planner says about it; '' = nothing. */
  readonly remark: string;
  /** What is left of the budget after planning. */
  readonly left: BudgetOptions;
}

/** The file of a valid plan, or the exit code if there is none. `problems`: of the plan before. */
async function makePlan(
  context: Context,
  asked: Asked,
  budgets: BudgetOptions,
  problems: readonly Problem[],
  left: number,
): Promise<Made | number> {
  const { client, place, terminal } = context;
  const created = await client.post('/runs', plannerRequest(asked, budgets, problems), runView);
  const code = await followRun(context, created, { tell: terminal.note });
  const planner = await client.get(`/runs/${created.id}`, runView);
  const [task] = planner.tasks;
  if (task?.outcome?.kind !== 'succeeded') return code;
  const { output } = await client.get(`/tasks/${task.id}/output`, taskOutput);
  const folder = join(place.home, 'plans');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, `${created.id}.plan.yaml`);
  const { text, plan, answer, problems: found } = completed(output as PlanFile, asked, file);
  await writeFile(file, text, { mode: 0o600 });
  tellProblems(context, found);
  const after = budgetAfter(budgets, planner);
  if (plan !== null && !hasErrors(found))
    return { file, answer, drawing: plainText(drawGraph(plan, 'text')), remark: remarkOf(plan), left: after };
  if (left === 0) {
    terminal.note(`The planner made no plan that can be run. Its last one is in ${file}`);
    return exits.failed;
  }
  terminal.note('The planner is told, and plans again.');
  return makePlan(context, asked, after, found, left - 1);
}

function remarkOf({ description }: Plan): string {
  return description === null ? '' : plainText(`The planner says: ${description.trim()}`);
}

interface Completed {
  readonly text: string;
  readonly plan: Plan | null;
  readonly answer: string;
  readonly problems: readonly Problem[];
}

/** The planner's plan with the person's options and the task that answers, read and validated like a file. */
function completed(planned: PlanFile, asked: Asked, file: string): Completed {
  const { request, roles, options, prices, harnesses, answerScript } = asked;
  const { plan: whole, answer } = withAnswer(planned, request, defined({ script: answerScript }));
  const text = stringify(withPersonsWords(whole, options));
  const { plan, problems } = readPlan(text, file);
  const strict = options.strict === true;
  const given = { inputs: {}, complete: true, strict, roles, harnesses, prices };
  return { text, plan, answer, problems: plan === null ? problems : [...problems, ...checkPlan(plan, given)] };
}

/** A person's invalid option is reported to that person, not to the planner, which would cost money. */
function refuseWrongWords(asked: Asked): void {
  const smallest: PlanFile = { name: 'plan', tasks: { work: { prompt: 'work' } } };
  const wrong = completed(smallest, asked, 'plan').problems.find(({ severity }) => severity === 'error');
  if (wrong !== undefined) throw new Fault('bad_request', `with these options no plan can be run: ${wrong.message}`);
}

async function tellAnswer({ client, terminal }: Context, runId: string, answer: string): Promise<void> {
  const task = (await client.get(`/runs/${runId}`, runView)).tasks.find(({ name }) => name === answer);
  if (task === undefined || task.outcome === null) return;
  if (task.outcome.kind !== 'succeeded') {
    terminal.note(`There is no answer: the task "${answer}" is ${task.outcome.kind}. signalbox logs ${answer}`);
    return;
  }
  // The view leaves out long outputs.
  const { output } = await client.get(`/tasks/${task.id}/output`, taskOutput);
  await terminal.print(`\n${plainText((output as { answer: string }).answer).trimEnd()}\n`);
}
