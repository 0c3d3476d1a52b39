import { expect, it } from 'vitest';
import { createRules } from '../src/harness/create-rules.ts';
import { agentKinds } from '../src/harness/registry.ts';
import { checkPlan } from '../src/plan/check/check-plan.ts';
import { problemText } from '../src/plan/file/problem.ts';
import { readPlan } from '../src/plan/file/read-plan.ts';
import type { Role } from '../src/plan/role.ts';

const harnesses = await createRules(agentKinds);

const role: Role = {
  name: 'r',
  description: '',
  tools: null,
  model: 'claude-opus-odd',
  fallback: ['claude-opus-odder'],
  prompt: 'x',
  file: 'f',
};
const own = new Map([['mine', { input: 1, output: 1, cacheWrite: 1, cacheRead: 1 }]]);

function told(text: string, isLimited = false): string[] {
  const { plan } = readPlan(`name: x\n${text}`, 'p');
  if (plan === null) throw new Error('no plan');
  const prices = { own, file: '/h/prices.json', isLimited };
  const given = { inputs: {}, roles: new Map([['r', role]]), harnesses, prices };
  return checkPlan(plan, given).map((each) => problemText(each).slice(2));
}

const flaw = (place: string, model: string): string =>
  `${place}: error: money is limited here, and what "${model}" costs is not known
  write its price into /h/prices.json: { "${model}": { "input": 3, "output": 15 } }, in dollars for a million tokens`;

it('a model without a price under a limit of money is an error that names the price file [PLAN-26]', () => {
  const head = 'defaults: { harness: claude, model: claude-opus-odd }\nlimits: { budget: $5 }\n';
  expect(
    told(`${head}tasks:\n  a: { prompt: x }\n  b: { prompt: x, fallback: [sonnet, claude-opus-odder] }\n`),
  ).toEqual([flaw('2:37', 'claude-opus-odd'), flaw('6:38', 'claude-opus-odder')]);
  expect(
    told('defaults: { harness: claude }\ntasks:\n  a: { prompt: x, model: claude-opus-odd, budget: $1 }\n'),
  ).toEqual([flaw('4:26', 'claude-opus-odd')]);
  expect(told('tasks:\n  a: { prompt: x, harness: claude, role: r, budget: $1 }\n')).toEqual([
    flaw('3:42', 'claude-opus-odd'),
    flaw('3:42', 'claude-opus-odder'),
  ]);
  expect(told('tasks:\n  a: { prompt: x, harness: claude, settings: { model: claude-opus-odd } }\n', true)).toEqual([
    flaw('3:55', 'claude-opus-odd'),
  ]);
});

it('a model with a list or user price is fine, and so is any model without a limit of money [PLAN-26]', () => {
  const of = (model: string, budget = '$1'): string[] =>
    told(`tasks:\n  a: { prompt: x, harness: claude, model: "${model}", budget: ${budget} }\n`);
  for (const model of ['claude-sonnet-4-5-20250929', 'opus', 'sonnet[1m]', 'mine', 'mine-2'])
    expect(of(model)).toEqual([]);
  expect(of('claude-opus-odd', '{ tokens: 5k }')).toEqual([]);
  expect(told('tasks:\n  a: { prompt: x, harness: scripted, model: claude-opus-odd, budget: $1 }\n')).toEqual([]);
});

it('a model that its harness does not have is an error with similar names, once [PLAN-28]', () => {
  const unknown = (place: string, model: string, near: string): string =>
    `${place}: error: Claude Code has no model "${model}"; did you mean "${near}"?
  what a gateway of yours has is known by its price in /h/prices.json`;
  const text =
    'defaults: { harness: claude }\ntasks:\n  a: { prompt: x, model: opsu, fallback: [sonnet, haku], budget: $1 }\n';
  expect(told(text)).toEqual([unknown('4:26', 'opsu', 'opus'), unknown('4:51', 'haku', 'haiku')]);
  expect(told(text.replace('harness: claude', 'harness: scripted'))).toEqual([]);
});
