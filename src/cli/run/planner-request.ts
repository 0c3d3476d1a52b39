// The run of the planner of `run --plan`: the person's options apply to it too.

import type { KnownPrices } from '../../plan/check/check-prices.ts';
import type { Known } from '../../plan/check/check-tasks.ts';
import { toolsOf } from '../../plan/compile/role-specs.ts';
import type { Problem } from '../../plan/file/problem.ts';
import { plannedSchema, plannerPrompt } from '../../plan/planner-plan.ts';
import type { Role, Roles } from '../../plan/role.ts';
import { defined } from '../../std/defined.ts';
import { clientIds } from '../../wire/id-pattern.ts';
import type { CreateRunInput } from '../../wire/request-schemas.ts';
import { here } from '../client/current-directory.ts';
import { type BudgetOptions, budgetOption } from '../options/budget-option.ts';
import { childrenOption } from '../options/children-option.ts';
import type { ChosenAgent } from './choose-agent.ts';
import { settingOf } from './plan-arguments.ts';
import type { RunOptions } from './run.ts';

/** The same for every try of the planner. */
export interface Asked {
  readonly request: string;
  readonly role: Role;
  readonly roles: Roles;
  readonly options: RunOptions;
  /** The agent that plans, and that works on tasks of the plan that name none. */
  readonly agent: ChosenAgent;
  /** The agents and tiers of this machine, as text for the planner. */
  readonly agents: string;
  /** What agents get of the user's environment. */
  readonly variables: Readonly<Record<string, string>>;
  /** The user's models for tiers. */
  readonly models: NonNullable<CreateRunInput['models']>;
  readonly prices: KnownPrices;
  readonly harnesses: Known['harnesses'];
  /** Scripts of the scripted agents that plan and that answer. */
  readonly plannerScript: string | undefined;
  readonly answerScript: string | undefined;
}

/** `problems`: of the plan that it made before. */
export function plannerRequest(asked: Asked, budgets: BudgetOptions, problems: readonly Problem[]): CreateRunInput {
  const { request, role, options, plannerScript: script } = asked;
  const { base, set = [], timeout, stall, toolStall } = options;
  const { harness, effort } = asked.agent;
  const model = options.model ?? role.model ?? asked.agent.model;
  const msOf = (seconds: number | undefined): number | undefined =>
    seconds === undefined ? undefined : seconds * 1000;
  const settings = {
    ...defined({ model, effort, script }),
    ...(asked.harnesses.heedsTools(harness) ? toolsOf(role) : {}),
    ...Object.fromEntries(set.map(settingOf)),
  };
  return {
    id: clientIds.run(),
    name: 'plan',
    repo: { path: here(), base: base ?? null },
    budget: budgetOption(budgets),
    children: childrenOption(options),
    models: asked.models,
    variables: { ...asked.variables },
    tasks: [
      {
        name: 'plan',
        prompt: plannerPrompt(role, request, asked.agents, problems),
        settings,
        output: plannedSchema(),
        keeps: false,
        attemptsMax: options.retries + 1,
        timeoutMs: msOf(timeout) ?? null,
        caps: defined({ stallMs: msOf(stall), toolStallMs: msOf(toolStall) }),
        permissions: {
          allow: [...(options.allow ?? [])],
          ask: [...(options.ask ?? [])],
          deny: [...(options.deny ?? [])],
        },
        harness,
        ...defined({ sandbox: options.sandbox, retryHow: options.retryHow }),
      },
    ],
  };
}
