// `signalbox run`: one run of the prompts given, followed to its end. Ctrl-C leaves the run alone.

import { Fault } from '../../std/fault.ts';
import { plainLine, shownJson } from '../../std/plain-text.ts';
import { createdView } from '../../wire/views.ts';
import { exits, type Verb } from '../client/context.ts';
import { here } from '../client/current-directory.ts';
import type { HistoryOptions } from '../client/landing-history.ts';
import { checkoutTop } from '../client/user-git.ts';
import type { BudgetOptions } from '../options/budget-option.ts';
import type { ChildrenOptions } from '../options/children-option.ts';
import { chooseAgent } from './choose-agent.ts';
import { configurationHere } from './configuration-here.ts';
import { followRun, howToFollow } from './follow-run.ts';
import { passedVariables } from './passed-variables.ts';
import { isPlanFile, optionWord } from './plan-arguments.ts';
import { readPrompts } from './prompt-files.ts';
import { promptRequest } from './prompt-request.ts';
import { runWarnings } from './run-warnings.ts';

export interface RunOptions extends BudgetOptions, ChildrenOptions, HistoryOptions {
  readonly file?: readonly string[];
  readonly script?: readonly string[];
  readonly check?: readonly string[];
  readonly retries: number;
  readonly retryHow?: 'fresh' | 'continue' | 'auto';
  readonly sendBacks?: number;
  readonly conflicts?: number;
  readonly onConflict?: 'ask' | 'fail';
  readonly timeout?: number;
  readonly outputMax?: number;
  readonly memoryMax?: number;
  readonly processesMax?: number;
  readonly stall?: number;
  readonly toolStall?: number;
  readonly harness?: string;
  readonly sandbox?: 'workspace' | 'none' | undefined;
  readonly model?: string;
  readonly effort?: string;
  readonly set?: readonly string[];
  readonly env?: readonly string[];
  readonly mcp?: readonly string[];
  readonly attach?: readonly string[];
  readonly argv?: string;
  readonly writes?: readonly string[];
  readonly reads?: readonly string[];
  readonly allow?: readonly string[];
  readonly ask?: readonly string[];
  readonly deny?: readonly string[];
  readonly name?: string;
  readonly base?: string;
  readonly into?: string;
  readonly checkout?: boolean;
  readonly needsChain?: boolean;
  readonly needs?: readonly string[];
  readonly apart?: boolean;
  readonly detach?: boolean;
  readonly verbose?: boolean;
  readonly json?: boolean;
  readonly input?: readonly string[];
  readonly dryRun?: boolean;
  readonly stubs?: boolean;
  readonly strict?: boolean;
  readonly plan?: boolean;
  readonly yes?: boolean;
}

export const run: Verb<RunOptions> = async (context, words, options) => {
  const { client, terminal } = context;
  if (words.some(isPlanFile)) return (await import('./run-plan.ts')).runPlan(context, words, options);
  if (options.plan === true) return (await import('./run-planner.ts')).planFirst(context, words, options);
  const ofPlans = (['input', 'dryRun', 'stubs', 'strict'] as const).find((name) => options[name] !== undefined);
  if (ofPlans !== undefined) throw new Fault('bad_request', `${optionWord(ofPlans)} is for plan files: name one`);
  const prompts = [...words, ...(await readPrompts(options.file ?? []))];
  if (prompts.length === 0) throw new Fault('bad_request', 'a run needs a prompt: signalbox run "what to do"');
  const top = await checkoutTop(context.place, here());
  const configuration = await configurationHere(context, top);
  const agent = await chooseAgent(context, options, configuration, top);
  const sandbox = options.sandbox ?? configuration.values.sandbox;
  const warnings = await runWarnings(context, { ...options, sandbox });
  for (const line of [agent.words, ...warnings]) terminal.note(line);
  const request = await promptRequest(prompts, { ...options, sandbox }, agent, configuration.values);
  const variables = passedVariables(context, options.env, configuration);
  const roles = await (await import('./roles-to-send.ts')).rolesToSend(context, request);
  const { toolsToSend } = await import('./tools-to-send.ts');
  const tools = await toolsToSend(context, top, configuration, request.tasks);
  const created = await client.post('/runs', { ...request, roles, variables, ...tools }, createdView);
  for (const note of created.notes) terminal.note(plainLine(note));
  if (options.detach === true) {
    if (options.json === true) await terminal.print(`${shownJson(created)}\n`);
    else await terminal.print(`${created.id}\n${howToFollow(created)}`);
    return exits.ok;
  }
  return followRun(context, created, options);
};
