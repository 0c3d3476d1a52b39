// Two of the examples with the real Claude Code CLI at work, against a scripted model: what plans hand to agents, what
// agents hand back, and what comes of it on the branch of the run.

import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import type { RunView } from '../../../src/wire/views.ts';
import type { ModelRequest } from '../../model-server/model-server.ts';
import type { ModelStep } from '../../model-server/script.ts';
import { type Ground, model, onNewestCli } from '../spending/limits-real-cli.ts';

const timeoutMs = 120_000;
const folder = resolve(import.meta.dirname, '../../../examples');
const hasJq = spawnSync('jq', ['--version']).status === 0;

interface Task {
  prompt?: string;
  model?: string;
  checks?: unknown;
  env?: Record<string, string>;
}

/** The example as it is, but for what no test machine has: its checks, and a model that would think of steps by itself. */
function staged({ world, prompt }: Ground, name: string, acts: Readonly<Record<string, readonly ModelStep[]>>): string {
  const plan = parse(readFileSync(join(folder, name, `${name}.plan.yaml`), 'utf8')) as {
    defaults: Record<string, unknown>;
    tasks: Record<string, Task>;
  };
  plan.defaults['model'] = model;
  for (const [task, steps] of Object.entries(acts)) {
    const { checks: _, model: __, ...rest } = plan.tasks[task] as Task;
    plan.tasks[task] = { ...rest, prompt: `${rest.prompt}\n${prompt(steps)}` };
    if ('matrix' in rest) plan.tasks[task].env = { ITEM: `$${'{{ matrix }}'}` };
  }
  // JSON is YAML.
  writeFileSync(world.path('staged.plan.yaml'), JSON.stringify(plan));
  return world.path('staged.plan.yaml');
}

async function played({ world }: Ground, args: readonly string[]): Promise<RunView> {
  const { code, stdout, stderr } = await world.sb(['run', ...args, '--json']);
  expect(code, stdout + stderr).toBe(0);
  return JSON.parse(stdout) as RunView;
}

/** A file as it is on the branch of the run. */
function onBranch({ world }: Ground, { id, tasks }: RunView, file: string): string {
  const gitDir = tasks.find(({ attempt }) => attempt !== null)?.attempt?.gitDir ?? '';
  return world.git('--git-dir', gitDir, 'show', `refs/signalbox-run/${id}:${file}`);
}

function put({ world }: Ground, file: string, text: string): void {
  writeFileSync(join(world.repo, file), text);
  world.git('add', '.');
  world.git('commit', '--quiet', '-m', `Add ${file}`);
}

const toolsOf = ({ body }: ModelRequest): string[] => (body.tools ?? []).map(({ name }) => name).sort();
const holds = { output: { verdict: 'holds', faults: [] } };

onNewestCli('an example', (begin) => {
  it('a bug hunt: roles, typed outputs, an account of all inputs [EX-2]', { timeout: timeoutMs }, async (context) => {
    const ground = begin(context);
    put(ground, 'bug.txt', 'wrong\n');
    const account = (said: string): object => ({
      diagnosis: 'bug.txt is wrong',
      change: 'Make it right.',
      places: ['bug.txt:1'],
      test: 'none',
      sources: { used: [...new Set(said.match(/artifact_[\w-]+/g))], rejected: [] },
    });
    const file = staged(ground, 'bug-hunt', {
      trace: [{ run: 'cat bug.txt' }, { output: { cause: 'a typo', place: 'bug.txt:1', evidence: 'cat', sure: true } }],
      reproduce: [{ output: { test: 'grep right bug.txt', failure: 'exit 1', gap: 'there is none' } }],
      diagnose: [{ outputOf: account }],
      fix: [{ run: 'mkdir -p src && echo right >src/bug.txt && git add . && git commit -qm "Fix it"' }],
      refute: [{ run: 'cat src/bug.txt' }, holds],
      'fix-again': [],
    });
    const run = await played(ground, [file, '--input', 'bug=It says wrong.']);
    expect(run.outcome).toBe('succeeded');
    expect(run.tasks.find(({ name }) => name === 'fix-again')?.outcome?.kind).toBe('omitted');
    expect(onBranch(ground, run, 'src/bug.txt')).toBe('right');
    const asked = (words: string): ModelRequest => {
      const found = ground.asked().find(({ conversation }) => conversation.includes(words));
      if (found === undefined) throw new Error(`nobody was asked "${words}"`);
      return found;
    };
    const refuter = asked('Your job is to show that it does not');
    expect(toolsOf(refuter)).toEqual(expect.arrayContaining(['Bash', 'Read', 'StructuredOutput']));
    expect(toolsOf(refuter)).not.toContain('Write');
    expect(toolsOf(asked('You make one change'))).toContain('Write');
    expect(refuter.conversation).toContain(
      'for this reason: <task-output from=\\"diagnose\\">bug.txt is wrong</task-output>',
    );
  });

  it.runIf(hasJq)(
    'a migration: a command, a trial, a task for each file [EX-2]',
    { timeout: timeoutMs },
    async (context) => {
      const ground = begin(context);
      const files = ['one.test.ts', 'two.test.ts', 'three.test.ts'];
      for (const file of files) put(ground, file, 'jest.fn();\n');
      const file = staged(ground, 'jest-to-vitest', {
        recipe: [
          { write: { path: 'recipe.md', text: 'Write vi for jest.\n' } },
          { output: { worked: true, done: [], warnings: ['Beware of timers.'] } },
        ],
        migrate: [{ run: 'sed -i.old s/jest/vi/ "$ITEM" && rm "$ITEM.old"' }, { output: { before: 1, after: 1 } }],
        refute: [holds],
      });
      const run = await played(ground, [file]);
      expect(run.outcome).toBe('succeeded');
      for (const each of files) expect(onBranch(ground, run, each)).toBe('vi.fn();');
      const movers = ground.asked().filter(({ conversation }) => conversation.includes('Known difficulties'));
      expect(movers.every(({ conversation }) => conversation.includes('Beware of timers.'))).toBe(true);
      expect(
        files.filter((each) => movers.some(({ conversation }) => conversation.includes(`>${each}</task-output>`))),
      ).toEqual(files);
    },
  );
});
