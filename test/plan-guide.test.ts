// Every plan in docs/plans.md is read and checked, and says what the page says it says.

import { expect, it } from 'vitest';
import { onlyNames } from '../src/model/spending/harness-rules.ts';
import { checkPlan } from '../src/plan/check/check-plan.ts';
import { planFile } from '../src/plan/file/plan-file.ts';
import { problemText } from '../src/plan/file/problem.ts';
import { readPlan } from '../src/plan/file/read-plan.ts';
import { read } from './source-files.ts';

const guide = read('docs/plans.md');
const blocks = (kind: string): string[] =>
  [...guide.matchAll(new RegExp(`\`\`\`${kind}\n([\\s\\S]*?)\`\`\``, 'g'))].map((match) => match[1] ?? '');

it('every plan of the guide is right, but for the one that is wrong on purpose [PLAN-18]', () => {
  const told = blocks('yaml').flatMap((text) => {
    const { plan, problems } = readPlan(text, `${/^name: (.*)/.exec(text)?.[1] ?? ''}.plan.yaml`);
    const checked =
      plan === null ? [] : checkPlan(plan, { inputs: {}, roles: new Map(), harnesses: onlyNames('claude') });
    return [...problems, ...checked].map(problemText);
  });
  expect(told).toEqual(blocks('text').map((text) => text.trimEnd()));
});

it('every word of a plan file is explained in the guide [PLAN-18]', () => {
  const words = [...Object.keys(planFile.shape), ...Object.keys(planFile.shape.tasks.def.valueType.def.shape)];
  expect(words.filter((word) => !guide.includes(`\`${word}\``) && !guide.includes(`\`${word}:`))).toEqual([]);
});
