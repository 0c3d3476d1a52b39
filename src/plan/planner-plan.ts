// Plans made by a planner agent from a request: its prompt, the schema of its answer, and the task that is added at the end so
// that the user gets one answer.

import { z } from 'zod';
import type { JsonObject } from '../model/core/json.ts';
import { type PlanFile, planFile } from './file/plan-file.ts';
import { type Problem, problemText } from './file/problem.ts';
import type { Role } from './role.ts';

/** The prompt of the planner. `agents`: those that there are, as text. `problems`: the errors in its previous plan. */
export function plannerPrompt(role: Role, request: string, agents: string, problems: readonly Problem[]): string {
  const again =
    problems.length === 0
      ? []
      : [`## Your previous plan\n\nIt has errors and could not be run:\n\n${problems.map(problemText).join('\n')}`];
  return [role.prompt, '---', agents, `## The request\n\n${request}`, ...again].join('\n\n');
}

/** The schema of a plan as data, the same as of a plan file. */
export function plannedSchema(): JsonObject {
  const { $schema: _, ...schema } = z.toJSONSchema(planFile, { io: 'input', unrepresentable: 'any' });
  return schema as JsonObject;
}

/**
 * The plan with one more task, which reads how all others ended and answers the request. `settings`: those of its
 * harness.
 */
export function withAnswer(
  plan: PlanFile,
  request: string,
  settings: Readonly<Record<string, string>> = {},
): { readonly plan: PlanFile; readonly answer: string } {
  const names = Object.keys(plan.tasks);
  const answer = freeName('answer', names);
  const needed = new Set(Object.values(plan.tasks).flatMap(({ needs = [] }) => needs));
  const last = names.filter((name) => !needed.has(name));
  const results = names.map((name) => `- ${name}: \${{ tasks.${name}.result }}`);
  const outputs = names.filter((name) => plan.tasks[name]?.output !== undefined);
  const given = outputs.map((name) => `### ${name}\n\n\${{ tasks.${name}.output }}`);
  const prompt = [
    'Agents have worked on this request:',
    escaped(request),
    'How the tasks ended:',
    results.join('\n'),
    ...(given.length === 0 ? [] : ['Their outputs:', ...given]),
    'Look at the repository, which contains their work, and answer the user: what was done, what was not done and why, ' +
      'and what the user should look at. Change nothing.',
  ].join('\n\n');
  const task: PlanFile['tasks'][string] = {
    description: 'answers the request',
    role: 'synthesizer',
    needs: last,
    // In a cycle no task is last. The cycle itself is reported.
    ...(last.length === 0 ? {} : { when: Object.fromEntries(last.map((name) => [name, 'any-outcome' as const])) }),
    prompt,
    writes: [],
    output: {
      type: 'object',
      properties: { answer: { type: 'string', description: 'a few paragraphs for the user' } },
      required: ['answer'],
    },
    example: { answer: 'This is a placeholder: no agent has worked on the request.' },
    ...(Object.keys(settings).length === 0 ? {} : { settings }),
  };
  return { plan: { ...plan, tasks: { ...plan.tasks, [answer]: task } }, answer };
}

function freeName(wanted: string, taken: readonly string[]): string {
  return taken.includes(wanted) ? freeName(`${wanted}-to-all`, taken) : wanted;
}

/** Text from people never becomes a reference. */
function escaped(text: string): string {
  return text.replaceAll('${{', () => '$${{');
}
