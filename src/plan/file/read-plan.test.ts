import { describe, expect, it } from 'vitest';
import { problemText } from './problem.ts';
import { readPlan } from './read-plan.ts';

const told = (text: string): string[] => readPlan(text, 'a.plan.yaml').problems.map(problemText);

const small = `name: small
tasks:
  one:
    prompt: Do it
`;

describe('a plan file', () => {
  it('is read to a plan, with unset settings left open', () => {
    const { plan, problems } = readPlan(small, 'a.plan.yaml');
    expect(problems).toEqual([]);
    expect(plan).toMatchObject({ name: 'small', interlock: 'open', inputs: [] });
    expect(plan?.phases.map(({ name }) => name)).toEqual(['research', 'synthesis', 'implementation', 'verification']);
    expect(plan?.tasks).toMatchObject([
      { name: 'one', work: { kind: 'prompt', prompt: 'Do it' }, needs: [], writes: null },
    ]);
  });

  it('may have a single name or path in place of a list', () => {
    const { plan } = readPlan(`${small}  two:\n    run: make\n    needs: one\n    writes: src/**\n`, 'a');
    expect(plan?.tasks[1]).toMatchObject({ needs: ['one'], writes: ['src/**'], work: { kind: 'shell', text: 'make' } });
  });

  it.each([
    [
      'name: x\ntasks:\n\ta: 1\n',
      ['a.plan.yaml:3:1: error: this is not YAML: tabs are not allowed as indentation\n  indent with spaces'],
    ],
    [
      'name: x\nname: y\n',
      ['a.plan.yaml:2:1: error: this is not YAML: map keys must be unique\n  a mapping holds each key once'],
    ],
    [
      'name: [x\n',
      [
        'a.plan.yaml:2:1: error: this is not YAML: flow sequence in block collection must be sufficiently indented and end with a ]\n  indent the entries of a mapping or list alike',
      ],
    ],
    [
      'name: x\n? [a]\n: y\n',
      [
        'a.plan.yaml:2:3: error: this is not YAML: with stringKeys, all keys must be strings\n  a key must be a single word',
      ],
    ],
    ['', ['a.plan.yaml:1:1: error: the file is empty\n  "signalbox plan new" writes one to begin with']],
    [
      'a\n---\nb\n',
      [
        'a.plan.yaml:2:1: error: this is not YAML: source contains multiple documents; please use YAML.parseAllDocuments()\n  a file holds one document: remove lines of "---" or "..." inside it',
      ],
    ],
    [
      'name: "${{ a == "b" }}"\ntasks: {}\n',
      [
        'a.plan.yaml:1:18: error: this is not YAML: unexpected scalar at node end\n  a quoted text ends at the next quote of the same kind: use the other kind inside it',
      ],
    ],
    [
      'name: x\ntasks: *all\n',
      ['a.plan.yaml:2:8: error: there is no anchor "&all" before this alias\n  quote a text that begins with "*"'],
    ],
    [
      'name: x\ntasks:\n  a: &a { run: x }\n  b: { <<: *a }\n',
      [
        'a.plan.yaml:4:8: error: "<<" is not known here\n  there are anchors and aliases, and no merging of mappings: put what all tasks share into "defaults"',
      ],
    ],
  ])('that is not YAML is reported with place and reason [PLAN-1]', (text, problems) => {
    expect(told(text)).toEqual(problems);
  });

  it('with an unknown key is reported with its place and a suggestion [PLAN-1]', () => {
    expect(told(`${small}    pormpt: twice\n    steps: x\n    if: y\ntaks: {}\n`)).toEqual([
      'a.plan.yaml:5:5: error: "pormpt" is not known here\n  did you mean "prompt"?',
      'a.plan.yaml:6:5: error: "steps" is not known here\n  each step is a task of its own; order them with "needs"',
      'a.plan.yaml:7:5: error: "if" is not known here\n  write "when"',
      'a.plan.yaml:8:1: error: "taks" is not known here\n  did you mean "tasks"?',
    ]);
    expect(told(`${small}    retry:\n      atempts: 3\n`)).toEqual([
      'a.plan.yaml:6:7: error: "atempts" is not known here\n  did you mean "attempts"?',
    ]);
    expect(told(`${small}    checks:\n      - { run: make, nam: x }\n`)).toEqual([
      'a.plan.yaml:6:22: error: "nam" is not known here\n  did you mean "name"?',
    ]);
  });

  it.each([
    ['    needs: 5\n', '5:12: error: this takes a name or a list of names'],
    ['    priority: high\n', '5:15: error: this takes a number, not "high"'],
    ['    sandbox: workspaces\n', '5:14: error: "workspaces" is not known here\n  did you mean "workspace"?'],
    ['    needs: [a, "b c"]\n', '5:16: error: a name has letters, digits, "_" and "-", at most 48 of them'],
    [
      '    run: make\n',
      '3:3: error: the task has both "prompt" and "run"\n  give it a "prompt" for an agent, a command to "run", or a "gate" for a person',
    ],
    ['  a.b: { run: x }\n', '5:3: error: "a.b": a name has letters, digits, "_" and "-", at most 48 of them'],
    [
      '  b: {}\n',
      '5:3: error: the task says nothing to do\n  give it a "prompt" for an agent, a command to "run", or a "gate" for a person',
    ],
    ['  b:\n', '5:3: error: this takes a mapping of names to values, not nothing'],
    ['    matrix: []\n', '5:13: error: a matrix needs at least one item'],
    [
      '    matrix: { os: [a] }\n',
      '5:13: error: a matrix is a list, or a reference to one\n  write each item out, as in [{ os: linux, node: 20 }, { os: linux, node: 22 }]',
    ],
    ['    checks: npm test\n', '5:13: error: this takes a list, not "npm test"\n  write [npm test]'],
    ['    timeout-minutes: "5"\n', '5:22: error: this takes a number, not "5"\n  write 5'],
    ['    timeout-minutes: 0\n', '5:22: error: this must be more than 0'],
    ['    priority: 1001\n', '5:15: error: this must be at most 1000'],
    ['    setup: ""\n', '5:12: error: there is nothing in it'],
    [
      '    name: x\n',
      '5:5: error: "name" is not known here\n  the name of a task is the key above it; "description" says more',
    ],
    [
      '    when: success()\n',
      '5:11: error: there is no "success(…)" here\n  there are no functions; results are asked for, as in tasks.build.result == \'succeeded\'',
    ],
    [
      '    matrix: a, b\n',
      '5:13: error: a matrix is a list, or a reference to one\n  write a list, or a path as in ${{ tasks.find.output.bugs }}',
    ],
    ['    env: { A: [1] }\n', '5:15: error: this takes a text, a number, true or false'],
  ])('with a wrong value is reported with its place: %s [PLAN-1]', (lines, problem) => {
    expect(told(small + lines)).toEqual([`a.plan.yaml:${problem}`]);
  });

  it('has its problems reported in order [PLAN-1]', () => {
    expect(told('on: push\nname: x\ntasks: { a: { run: 5 } }\n').map((each) => each.split(': error')[0])).toEqual([
      'a.plan.yaml:1:1',
      'a.plan.yaml:3:20',
    ]);
  });

  it('with something missing is reported at what it is missing from', () => {
    expect(told('tasks: { a: { run: x } }\n')).toEqual(['a.plan.yaml:1:1: error: "name" is missing: it takes a text']);
    expect(told('name: x\ntasks: {}\n')).toEqual(['a.plan.yaml:2:8: error: a plan needs at least one task']);
  });

  it('with a matrix of more than 10,000 items is refused [PLAN-1]', () => {
    const items = (n: number): string => `${small}    matrix: [${'1,'.repeat(n - 1)}1]\n`;
    expect(told(items(10_001))).toEqual(['a.plan.yaml:5:13: error: a matrix has at most 10000 items']);
    expect(told(items(10_000))).toEqual([]);
  });

  it('has expressions reported at their own line, also in long texts [PLAN-1, PLAN-2]', () => {
    const text =
      'name: x\ntasks:\n  a:\n    prompt: |\n      First ${{ matrix }}\n      then ${{ 1 + 1 }}\n    when: a =\n';
    expect(told(text)).toEqual([
      'a.plan.yaml:6:12: error: "+" is not known here\n  there are ==, !=, &&, ||, parentheses, paths and literals; anything more belongs in a task with "run"',
      'a.plan.yaml:7:11: error: "=" is not known here\n  write "=="',
    ]);
  });

  it('of more than 1 MiB, or that grows by aliases, is refused [PLAN-1]', () => {
    expect(told(`${small}# ${'x'.repeat(2 ** 20)}`)).toEqual([
      'a.plan.yaml:1:1: error: the file is larger than 1 MiB\n  put what is long into files of the repository and name them',
    ]);
    const levels = 'bcdefghi'.split('').map((name, i) => `${name}: &${name} [${`*${'abcdefghi'[i]},`.repeat(9)}]`);
    expect(told(`a: &a [x]\n${levels.join('\n')}\n`)[0]).toContain('aliases');
  });
});
