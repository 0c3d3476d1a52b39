import { describe, expect, it } from 'vitest';
import { onlyNames } from '../../model/spending/harness-rules.ts';
import { problemText } from '../file/problem.ts';
import { readPlan } from '../file/read-plan.ts';
import { checkPlan, type Given } from './check-plan.ts';

const harnesses = {
  ...onlyNames('claude', 'command', 'scripted'),
  ownsVariable: (name: string): boolean => name.startsWith('CLAUDE_'),
};
const given: Given = { inputs: {}, roles: new Map(), harnesses };

/** Every problem, without the file's name. */
function told(tasks: string, more: Partial<Given> & { head?: string } = {}): string[] {
  const { head = '', ...rest } = more;
  const { plan, problems } = readPlan(`${head}name: x\ntasks:\n${tasks}`, 'p');
  return (plan === null ? problems : checkPlan(plan, { ...given, ...rest })).map((each) => problemText(each).slice(2));
}

const find = `  find:
    prompt: Find
    output:
      type: object
      required: [bugs]
      properties:
        bugs: { type: array, minItems: 1, items: { type: object, properties: { title: { type: string }, line: { type: integer } } } }
        verdict: { enum: [pass, fail] }
        count: { type: integer }
`;

describe('needs', () => {
  it('a cycle is reported with its tasks [PLAN-3]', () => {
    const tasks = [
      '  a: { run: x, needs: [c] }',
      '  b: { run: x, needs: [a] }',
      '  c: { run: x, needs: [b] }',
      '  d: { run: x, needs: [c] }',
    ];
    expect(told(tasks.join('\n'))).toEqual([
      '3:23: error: these wait for each other: "a" needs "c" needs "b" needs "a"\n  take one of these needs away',
    ]);
    expect(told('  a: { run: x, needs: [a] }')).toEqual(['3:24: error: the task "a" needs itself']);
  });

  it('a cycle through a phase is reported with the phase [PLAN-3]', () => {
    const tasks = '  a: { run: x, phase: research, needs: b }\n  b: { run: x, phase: implementation }\n';
    expect(told(tasks)).toEqual([
      '3:40: error: these wait for each other: "a" needs "b" needs the phase "research" needs "a"\n  take one of these needs away',
    ]);
  });

  it('an unknown need is reported with similar names [PLAN-3]', () => {
    expect(told('  build: { run: x }\n  test: { run: x, needs: [biuld] }\n')).toEqual([
      '4:27: error: there is no task "biuld"\n  did you mean "build"?',
    ]);
  });
});

describe('when as a mapping', () => {
  it('is an error if it names no task, itself, or an unknown amount [PLAN-19]', () => {
    const after = (when: string): string[] => told(`  build: { run: x }\n  test: { run: x, when: { ${when} } }\n`);
    expect(after('build: at-least-1')).toEqual([]);
    expect(after('biuld: all')).toEqual(['4:34: error: there is no task "biuld"\n  did you mean "build"?']);
    expect(after('test: all')).toEqual(['4:33: error: a task cannot refer to itself']);
    expect(after('build: most')).toEqual([
      '4:34: error: "most" is not known here\n  there is: at-least-1, all, any-outcome',
    ]);
    expect(after('')).toEqual(['4:25: error: it names no task']);
  });

  it('gives counts as numbers, over which no matrix is made [PLAN-19]', () => {
    expect(told("  a: { run: x }\n  b: { run: x, needs: a, when: tasks.a.succeeded == 'one' }\n")).toEqual([
      '4:32: error: tasks.a.succeeded is never "one": it is a whole number',
    ]);
    expect(told('  a: { run: x }\n  b: { run: x, needs: a, matrix: "${{ tasks.a.total }}" }\n')).toEqual([
      '4:34: error: a matrix needs a list, and "total" is a number',
    ]);
  });
});

describe('references', () => {
  const prompt = (text: string, more = ''): string[] =>
    told(`${find}  fix:\n    needs: find\n    prompt: "${text}"\n${more}`);

  it('to properties of the schema are fine', () => {
    expect(
      prompt('${{ tasks.find.output }} ${{ tasks.find.output.bugs[0].title.length }} ${{ tasks.find.result }}'),
    ).toEqual([]);
    expect(prompt('${{ run.id }} ${{ run.name }} ${{ task.name }} ${{ task.attempt }}')).toEqual([]);
    expect(prompt('${{ matrix.title }} ${{ matrix.line }}', '    matrix: ${{ tasks.find.output.bugs }}\n')).toEqual([]);
  });

  it.each([
    ['${{ tasks.fnid.output }}', 'there is no task "fnid"\n  did you mean "find" or "fix"?'],
    ['${{ tasks.find.ouput }}', 'of a task there is no "ouput"\n  did you mean "output"?'],
    ['${{ tasks.fix.output }}', 'a task cannot refer to itself'],
    [
      '${{ tasks.find.output.bug }}',
      '"tasks.find.output.bug" leads nowhere: of tasks.find.output, it has no "bug"\n  did you mean "bugs"?',
    ],
    [
      '${{ tasks.find.output.bugs.title }}',
      '"tasks.find.output.bugs.title" leads nowhere: of tasks.find.output.bugs, it is a list, which has no "title"\n  there is: length',
    ],
    [
      '${{ tasks.find.output.bugs[0].titel }}',
      '"tasks.find.output.bugs.0.titel" leads nowhere: of tasks.find.output.bugs.0, it has no "titel"\n  did you mean "title"?',
    ],
    [
      '${{ tasks.find.output.count.x }}',
      '"tasks.find.output.count.x" leads nowhere: of tasks.find.output.count, it is a whole number, which has no "x"',
    ],
    ['${{ matrix.title }}', 'there is no item here: the task has no matrix'],
    ['${{ needs.find.output }}', 'a reference cannot begin with "needs"\n  write "tasks"'],
    ['${{ rnu.id }}', 'a reference cannot begin with "rnu"\n  did you mean "run"?'],
    ['${{ run.idd }}', '"run.idd" leads nowhere\n  did you mean "id"?'],
    ['${{ inputs.module }}', 'there is no input "module"\n  declare it under "inputs"'],
  ])('%s is reported with its place [PLAN-3, PLAN-4]', (text, problem) => {
    expect(prompt(`See ${text}`)).toEqual([`14:18: error: ${problem}`]);
  });

  it('to a task that is not waited for are errors [PLAN-33]', () => {
    expect(told(`${find}  fix: { prompt: "\${{ tasks.find.output }}" }\n`)).toEqual([
      '12:19: error: "tasks.find.output" may not be known yet: nothing here waits for "find"\n  add "find" to its needs',
    ]);
    const through = `${find}  a: { run: x, needs: find }\n  fix: { prompt: "\${{ tasks.find.output }}", needs: a }\n`;
    expect(told(through)).toEqual([]);
    const phases = find.replace('    prompt', '    phase: research\n    prompt');
    expect(told(`${phases}  fix: { prompt: "\${{ tasks.find.output }}", phase: implementation }\n`)).toEqual([]);
  });

  it('to a task without a schema have no output [PLAN-4]', () => {
    expect(told('  a: { run: x }\n  b: { prompt: "${{ tasks.a.output }}", needs: a }\n')).toEqual([
      '4:17: error: the task "a" declares no output\n  give it an "output" with a JSON Schema',
    ]);
  });

  it('to a matrix give the list of its outputs [PLAN-34]', () => {
    const each = `${find}  each:\n    needs: find\n    matrix: \${{ tasks.find.output.bugs }}\n    prompt: x\n    output: { type: object, properties: { ok: { type: boolean } } }\n`;
    const end = (text: string): string[] => told(`${each}  end: { needs: each, prompt: "\${{ ${text} }}" }\n`);
    expect(end('tasks.each.output[0].ok')).toEqual([]);
    expect(end('tasks.each.output.length')).toEqual([]);
    expect(end('tasks.each.output.ok')[0]).toContain('the list of the outputs of a matrix, which has no "ok"');
  });

  it('never put a value into shell text [PLAN-6]', () => {
    expect(told('  a: { matrix: [1], run: "echo ${{ matrix }}" }\n')).toEqual([
      '3:32: error: a command for the shell has no references\n  put the value into "env" and write "$NAME", or give the command as a list: nothing is ever put into shell text',
    ]);
    expect(told('  a: { matrix: [1], run: [echo, "${{ matrix }}"], env: { A: "${{ matrix }}" } }\n')).toEqual([]);
  });
});

describe('a matrix', () => {
  const over = (path: string): string[] =>
    told(`${find}  fix:\n    needs: find\n    matrix: \${{ ${path} }}\n    prompt: x\n`);

  it('over something that is no list is an error [PLAN-5]', () => {
    expect(over('tasks.find.output.bugs')).toEqual([]);
    expect(over('tasks.find.output')).toEqual([
      '14:13: error: a matrix needs a list, and tasks.find.output is an object\n  did you mean tasks.find.output.bugs?',
    ]);
    expect(over('tasks.find.output.count')).toEqual([
      '14:13: error: a matrix needs a list, and tasks.find.output.count is a whole number',
    ]);
    expect(over('tasks.find.result')).toEqual(['14:13: error: a matrix needs a list, and a result is a text']);
    expect(over('run.id')).toEqual(['14:13: error: a matrix is made over an output or an input']);
  });

  it('over a list that is always empty is an error [PLAN-5]', () => {
    const empty =
      '  a: { run: x, output: { type: array, maxItems: 0 } }\n  b: { needs: a, run: x, matrix: "${{ tasks.a.output }}" }\n';
    expect(told(empty)).toEqual(['4:34: error: a matrix over a list that is always empty']);
  });

  it('over a list that may be empty is a warning, unless the plan mentions it [PLAN-5]', () => {
    const tasks = (schema: string, when = ''): string =>
      `  a: { run: x, output: { type: array${schema} } }\n  b: { needs: a, run: x, matrix: "\${{ tasks.a.output }}"${when} }\n`;
    expect(told(tasks(''))).toEqual([
      '4:34: warning: tasks.a.output may be empty, and a matrix over nothing fails\n  add "when: ${{ tasks.a.output.length != 0 }}" to leave it out then, or "minItems: 1" to the schema',
    ]);
    expect(told(tasks(', minItems: 1'))).toEqual([]);
    expect(told(tasks('', ', when: tasks.a.output.length != 0'))).toEqual([]);
  });

  it('may use its items in its condition [PLAN-5]', () => {
    expect(told('  a: { matrix: [{ on: true }], run: x, when: matrix.on }\n')).toEqual([]);
    expect(told('  a: { matrix: "${{ matrix }}", run: x }\n')[0]).toContain('a list cannot be made of its own items');
  });

  it('of literal items knows their properties [PLAN-5]', () => {
    const tasks = (text: string): string =>
      `  a: { matrix: [{ file: a.ts }, { file: b.ts, deep: [1] }], prompt: "\${{ ${text} }}" }\n`;
    expect(told(tasks('matrix.file'))).toEqual([]);
    expect(told(tasks('matrix.deep.length'))).toEqual([]);
    expect(told(tasks('matrix.fiel'))).toEqual([
      '3:70: error: "matrix.fiel" leads nowhere: of matrix, no item has "fiel"\n  did you mean "file"?',
    ]);
  });
});

describe('conditions', () => {
  const when = (text: string, head = ''): string[] =>
    told(`${find}  fix: { needs: find, prompt: x, when: "${text}" }\n`, { head });

  it('that can never hold make a task and its dependants unreachable [PLAN-7]', () => {
    expect(told('  a: { run: x, when: false }\n  b: { run: x, needs: a }\n')).toEqual([
      '3:22: error: the task "a" can never run: its condition never holds',
      '4:23: error: the task "b" can never run: it needs "a", which can never run',
    ]);
    expect(when("tasks.find.output.verdict == 'pass' && false")).toHaveLength(1);
    expect(when("tasks.find.output.verdict == 'pass'")).toEqual([]);
  });

  it('that compare with an impossible value are errors [PLAN-7]', () => {
    expect(when("tasks.find.result != 'succeded'")).toEqual([
      '12:40: error: tasks.find.result is never "succeded"\n  did you mean "succeeded"?',
    ]);
    expect(when("'pas' == tasks.find.output.verdict")).toEqual([
      '12:40: error: tasks.find.output.verdict is never "pas"\n  did you mean "pass"?',
    ]);
    expect(when("tasks.find.output.count == '1'")).toEqual([
      '12:40: error: tasks.find.output.count is never "1": it is a whole number',
    ]);
    expect(when('tasks.find.output.verdict == null')).toEqual([]);
  });

  it('may leave a task out by an input [PLAN-7]', () => {
    expect(when('inputs.deep', 'inputs: { deep: { type: boolean, default: false } }\n')).toEqual([]);
  });

  it('that a phase can never meet are reported', () => {
    const head = 'phases: [{ name: one, exit: "${{ false }}" }, two]\n';
    expect(told('  a: { run: x, phase: one }\n  b: { run: x, phase: two }\n', { head })).toEqual([
      '1:29: error: the phase "one" can never end well: its condition never holds',
    ]);
  });
});

describe('writers', () => {
  const two = '  a: { run: x, writes: [src/**] }\n  b: { run: x, writes: ["src/*.ts", docs] }\n';

  it('that could run together and overlap are reported, as an error under strict [PLAN-8]', () => {
    const problem =
      '"b" and "a" could run together and write the same files (src/*.ts and src/**): they will take turns';
    const suggestion = 'let one need the other, or make them write different paths';
    expect(told(two)).toEqual([`4:24: warning: ${problem}\n  ${suggestion}`]);
    expect(told(two, { strict: true })).toEqual([`4:24: error: ${problem}\n  ${suggestion}`]);
  });

  it('that are separated by paths, needs or a phase are fine [PLAN-8]', () => {
    expect(told('  a: { run: x, writes: [src/a/**] }\n  b: { run: x, writes: [src/b/**] }\n')).toEqual([]);
    expect(told(two.replace('b: {', 'b: { needs: a,'))).toEqual([]);
    expect(told(two.replace('a: {', 'a: { phase: synthesis,').replace('b: {', 'b: { phase: implementation,'))).toEqual(
      [],
    );
    expect(told(two.replace('a: {', 'a: { phase: research,'))).toEqual([]);
  });

  it('of one matrix take turns [PLAN-8]', () => {
    expect(told('  a: { run: x, matrix: [1, 2], writes: src }\n')[0]).toContain(
      'the tasks of the matrix "a" all write src: they will take turns',
    );
  });

  it('must be declared if the plan is strict [PLAN-35]', () => {
    const tasks = '  a: { run: x }\n  b: { run: x, writes: [] }\n  c: { run: x, phase: research }\n';
    expect(told(tasks, { head: 'interlock: strict\n' })).toEqual([
      '4:3: error: the task "a" does not say what it writes\n  list its paths, or [] if it only reads: "interlock: strict" demands it',
    ]);
  });
});

describe('names', () => {
  it.each([
    ['prompt: x, harness: cluade', 'there is no harness "cluade"\n  did you mean "claude"?'],
    ['prompt: x, role: reviewr', 'there is no role "reviewr"\n  did you mean "reviewer"?'],
    ['prompt: x, phase: reserch', 'there is no phase "reserch"\n  did you mean "research"?'],
    [
      'run: x, env: { PATH: /bin }',
      '"PATH" cannot be set by a plan\n  what an agent is and may do is said by its harness',
    ],
    [
      'run: x, env: { CLAUDE_X: a }',
      '"CLAUDE_X" cannot be set by a plan\n  what an agent is and may do is said by its harness',
    ],
    ['run: x, env: { "A B": a }', '"A B" is no name of a variable'],
    ['run: x, writes: [/etc]', '"/etc" is not a path in the repository: write it without the first slash'],
    [
      "run: x, writes: 'src/${{ run.name }}'",
      '"run.name" cannot stand in a path\n  a path may hold values of the matrix and inputs: make a matrix over that output',
    ],
    ['run: x, model: big', '"model" is for agents, and this task runs a command'],
    [
      'run: x, output: { type: objekt }',
      'this is not JSON Schema: it must be equal to one of the allowed values (array, boolean, integer, null, number, object, string)',
    ],
    [
      'run: x, output: { type: object, description: who, and why }',
      'JSON Schema has no "and why"\n  quote the text before it: in braces a comma ends a text',
    ],
    ['run: x, output: { typ: object }', 'JSON Schema has no "typ"\n  did you mean "type"?'],
    [
      'run: x, output: { properties: { a: { pattern: "(" } } }',
      'this is not JSON Schema: Invalid regular expression: /(/u: Unterminated group',
    ],
    ['run: x, output: { $ref: "#/no" }', "this is not JSON Schema: can't resolve reference #/no from id #"],
    [
      'prompt: x, output: { type: array }',
      'the output of an agent is an object\n  write "type: object", and put what it gives under "properties"',
    ],
    ['run: x, output: { type: array }, example: 5', 'the example does not fit the output: it must be array'],
  ])('%s is an error [PLAN-1]', (task, problem) => {
    const roles = new Map([
      ['reviewer', { name: 'reviewer', description: '', tools: null, model: null, prompt: 'x', file: 'f' }],
    ]);
    const [first, ...others] = told(`  a: { ${task} }\n`, { roles });
    expect(others).toEqual([]);
    expect(first?.replace(/^3:\d+: error: /, '')).toBe(problem);
  });
});

it('two tasks may have schemas of one $id, and a schema may refer to itself', () => {
  const output = 'output: { $id: "x:y", type: object, properties: { a: { $ref: "#" } } }, example: { a: {} }';
  expect(told(`  a: { prompt: x, ${output} }\n  b: { prompt: x, ${output} }\n`)).toEqual([]);
});

describe('inputs', () => {
  const head = 'inputs: { n: { type: number }, s: { default: a }, b: { type: boolean, default: 1 } }\n';

  it('are checked by their type, and required for a run only [PLAN-1]', () => {
    const wrongDefault = '1:80: error: the input "b" takes true or false, not 1';
    expect(told('  a: { run: x }\n', { head })).toEqual([wrongDefault]);
    expect(told('  a: { run: x }\n', { head, complete: true })[0]).toBe(
      '1:11: error: the input "n" has no value\n  say it with --input n=…, or give it a default',
    );
    expect(told('  a: { run: x }\n', { head, inputs: { n: 'x', m: '1', b: 'true' } })).toEqual([
      '1:1: error: there is no input "m"\n  did you mean "n" or "s" or "b"?',
      '1:11: error: the input "n" takes a number, not "x"',
      wrongDefault,
    ]);
  });
});
