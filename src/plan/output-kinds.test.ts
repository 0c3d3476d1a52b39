// A kind of artifact in place of a schema, in plan files and in TypeScript.

import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { kindSchemas, namedKinds } from '../model/attempt/artifact-kinds.ts';
import { onlyNames } from '../model/spending/harness-rules.ts';
import { checkPlan, type Given } from './check/check-plan.ts';
import { compilePlan } from './compile/compile-plan.ts';
import { problemText } from './file/problem.ts';
import { readPlan } from './file/read-plan.ts';
import { exampleOf } from './preview/example-of.ts';
import { kind } from './typed/typed-kind.ts';
import { plan, readTypedPlan } from './typed/typed-plan.ts';
import { task } from './typed/typed-task.ts';

const given: Given = { inputs: {}, roles: new Map(), harnesses: onlyNames('scripted') };

function told(tasks: string): string[] {
  const { plan: read, problems } = readPlan(`name: x\ntasks:\n${tasks}`, 'p');
  return (read === null ? problems : checkPlan(read, given)).map((each) => problemText(each).slice(2));
}

function compiled(tasks: string) {
  const { plan: read } = readPlan(`name: x\ntasks:\n${tasks}`, 'p');
  return read === null ? [] : compilePlan(read, given).tasks;
}

describe('the name of a kind as an output', () => {
  it.each(namedKinds)('%s gives the task its schema and an example [ART-7]', (name) => {
    expect(told(`  a: { prompt: x, output: ${name} }`)).toEqual([]);
    const [first] = compiled(`  a: { prompt: x, output: ${name} }`);
    expect(first).toMatchObject({ output: kindSchemas[name], outputKind: name });
    expect(exampleOf(kindSchemas[name])).not.toBeNull();
  });

  it('that is unknown is an error with similar names [ART-14]', () => {
    expect(told('  a: { prompt: x, output: findings }')).toEqual([
      '3:27: error: there is no kind of artifact "findings"\n  did you mean "finding"?',
    ]);
    expect(told('  a: { prompt: x, output: 5 }')).toEqual([
      '3:27: error: this takes a JSON Schema, or the name of a kind of artifact',
    ]);
  });

  it('is the schema for references [ART-7]', () => {
    const find = '  find: { prompt: x, output: finding }\n';
    expect(told(`${find}  b: { prompt: "\${{ tasks.find.output.where.file }}", needs: find }`)).toEqual([]);
    expect(told(`${find}  b: { prompt: "\${{ tasks.find.output.were }}", needs: find }`)[0]).toContain('"where"');
  });

  it('is not set by a schema of its own [ART-7]', () => {
    expect(compiled('  a: { prompt: x, output: { type: object } }')[0]).not.toHaveProperty('outputKind');
  });
});

describe('a reference to an artifact', () => {
  const find = '  find: { prompt: x, output: finding }\n  gate: { gate: { message: x, form: { a: {} } } }\n';

  it('is fine if the task has a result [ART-5]', () => {
    expect(told(`${find}  b: { prompt: "\${{ tasks.find.artifact }}", needs: find }`)).toEqual([]);
  });

  it('has no properties, and is an error for a gate or a task without a result [ART-5]', () => {
    const at = (path: string) =>
      told(`${find}  c: { run: x }\n  b: { prompt: "\${{ ${path} }}", needs: [find, gate, c] }`)[0];
    expect(at('tasks.find.artifact.id')).toContain('of a task there is no "artifact"');
    expect(at('tasks.gate.artifact')).toContain('of a task there is no "artifact"');
    expect(at('tasks.c.artifact')).toContain('declares no output');
    expect(at('tasks.find.artefact')).toContain('did you mean "artifact"?');
  });
});

describe('kind() of a plan in TypeScript', () => {
  it('is the name in a plan file, with the type that dependants see [ART-7]', () => {
    const find = task('find', { prompt: 'x', output: kind('finding') });
    const list = task('list', { prompt: 'x', output: z.object({ bugs: z.array(kind('finding')) }) });
    const tell = task('tell', {
      needs: [find, list],
      matrix: ({ list }) => list.output.bugs,
      run: ({ find, matrix }) => ['echo', find.output.where.file, matrix.severity, find.artifact],
    });
    // @ts-expect-error a finding has no such thing
    task('wrong', { needs: [find], run: ({ find }) => ['echo', find.output.were] });
    const { plan: read } = readTypedPlan(plan({ name: 'x', tasks: [find, list, tell] }), 'x.plan.ts') ?? {};
    if (!read) throw new Error('it reads');
    expect(checkPlan(read, given).filter(({ severity }) => severity === 'error')).toEqual([]);
    const [first, second] = compilePlan(read, given).tasks;
    expect(first).toMatchObject({ output: kindSchemas.finding, outputKind: 'finding' });
    expect(second?.output).toMatchObject({ properties: { bugs: { items: kindSchemas.finding } } });
    expect(second).not.toHaveProperty('outputKind');
  });

  it('with an unknown name is an error at once [ART-14]', () => {
    // @ts-expect-error there is no such kind
    expect(() => kind('fnding')).toThrow('there is no kind of artifact "fnding"');
  });
});
