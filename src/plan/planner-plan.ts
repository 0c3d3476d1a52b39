// A plan that an agent made of a request: what it is asked, the schema its answer is held to, and what is put behind its
// tasks so that the one who asked gets one answer.

import { z } from 'zod';
import type { JsonObject } from '../model/core/json.ts';
import { type PlanFile, planFile } from './file/plan-file.ts';
import { type Problem, problemText } from './file/problem.ts';
import type { Role } from './role.ts';

/** The prompt of the planner. `problems`: what was wrong with the plan that it made before. */
export function plannerPrompt(role: Role, request: string, problems: readonly Problem[]): string {
  const again =
    problems.length === 0
      ? []
      : [`## Your plan before this one\n\nIt could not be run:\n\n${problems.map(problemText).join('\n')}`];
  return [role.prompt, '---', `## The request\n\n${request}`, ...again].join('\n\n');
}

/** Of a plan as data: the same that a file is held to. */
export function plannedSchema(): JsonObject {
  const { $schema: _, ...schema } = z.toJSONSchema(planFile, { io: 'input', unrepresentable: 'any' });
  return schema as JsonObject;
}

/**
 * The plan with one more task, which reads what became of all others, however they ended, and answers the request. `settings`: of
 * its harness.
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
    'What became of the tasks:',
    results.join('\n'),
    ...(given.length === 0 ? [] : ['What they gave:', ...given]),
    'Look at the repository, which has their work, and answer whoever asked: what was done, what was not and why, and ' +
      'what they should look at. Change nothing.',
  ].join('\n\n');
  const task: PlanFile['tasks'][string] = {
    description: 'tells what came of it',
    role: 'synthesizer',
    needs: last,
    // In a circle nothing is last, and what is wrong is told of that.
    ...(last.length === 0 ? {} : { when: Object.fromEntries(last.map((name) => [name, 'any-outcome' as const])) }),
    prompt,
    writes: [],
    output: {
      type: 'object',
      properties: { answer: { type: 'string', description: 'in a few paragraphs, for the one who asked' } },
      required: ['answer'],
    },
    example: { answer: 'This stands for the answer: no agent has worked on the request.' },
    ...(Object.keys(settings).length === 0 ? {} : { settings }),
  };
  return { plan: { ...plan, tasks: { ...plan.tasks, [answer]: task } }, answer };
}

function freeName(wanted: string, taken: readonly string[]): string {
  return taken.includes(wanted) ? freeName(`${wanted}-to-all`, taken) : wanted;
}

/** What people typed is never taken for a reference. */
function escaped(text: string): string {
  return text.replaceAll('${{', () => '$${{');
}
