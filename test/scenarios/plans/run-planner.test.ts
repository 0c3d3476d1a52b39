// `run --plan`: a planner's plan is validated like any other, shown, and run only when a person agrees.

import { existsSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openWorld as openOwnWorld, type World } from '../daemon/daemon-world.ts';
import { model, onNewestCli } from '../spending/limits-real-cli.ts';
import { shareDaemon } from '../world/shared-world.ts';

const plan = {
  name: 'greeting',
  tasks: {
    look: {
      prompt: 'Look who is to be greeted.',
      phase: 'research',
      output: { type: 'object', properties: { who: { type: 'string' } }, required: ['who'] },
      example: { who: 'the world' },
    },
    greet: { prompt: 'Greet ${{ tasks.look.output.who }}.', needs: 'look', writes: 'greeting.txt' },
  },
};

const openWorld = shareDaemon();
let world: World;
beforeEach(() => {
  world = openWorld();
});
afterEach(() => world.close());

const planned = (output: object, ...more: string[]): string[] => [
  'run',
  '--plan',
  'Greet whoever is there, in ${{ any }} language',
  '--script',
  world.script([{ output }]),
  ...more,
];

it('runs with --yes, and one task answers the request [PLANNER-1, PLANNER-5]', async () => {
  const { code, stdout, stderr } = await world.sb(planned(plan, '--yes', '--stubs'));
  expect(code, stderr).toBe(0);
  expect(stderr).toContain('greet');
  expect(stdout).toContain('succeeded: 3 of 3 tasks');
  expect(stdout).toContain('This is a placeholder: no agent has worked on the request.');
});

it('does not run without consent, but is kept and named, with what the planner says of its cost [PLANNER-1, TIER-3]', async () => {
  const description = 'Two agents cost more than one: the second reads all again.';
  const { code, stdout, stderr } = await world.sb(planned({ ...plan, description }));
  expect(code, stderr).toBe(3);
  expect(stderr).toContain(`The planner says: ${description}`);
  const [, file = ''] = /signalbox run (\S+\.plan\.yaml)/.exec(stderr) ?? [];
  expect(existsSync(file)).toBe(true);
  expect(readFileSync(file, 'utf8')).toContain('in $${{ any }} language');
  expect(stdout).toBe('');
  expect((await world.list()).map(({ name }) => name)).toEqual(['plan']);
  const later = await world.sb(['run', file, '--stubs', '--json']);
  expect(JSON.parse(later.stdout)).toMatchObject({ name: 'greeting', outcome: 'succeeded' });
});

it('that is invalid goes back to the planner twice, and starts nothing [PLANNER-2]', async () => {
  const circle = { ...plan, tasks: { a: { prompt: 'a', needs: 'b' }, b: { prompt: 'b', needs: 'a' } } };
  const { code, stderr } = await world.sb(planned(circle, '--yes', '--stubs'));
  expect(code).toBe(1);
  expect(stderr.match(/these wait for each other/g)).toHaveLength(3);
  expect((await world.list()).map(({ name }) => name)).toEqual(['plan', 'plan', 'plan']);
});

it('with --dry-run, or an option that no plan takes, starts nothing and says what to do [PLANNER-6]', async () => {
  const own = openOwnWorld();
  const refused: [string[], string][] = [
    [['--dry-run', '--yes'], '--dry-run is not for --plan: a planner has to be paid before there is a plan.'],
    [['--writes', 'src/**'], '--writes is not for --plan: the planner says what each task may change.'],
    [['--retries', '500'], 'with these options no plan can be run: '],
  ];
  for (const [words, sentence] of refused) {
    const { code, stdout, stderr } = await own.sb(planned(plan, ...words));
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(sentence);
  }
  expect(existsSync(`${own.home}/daemon.json`)).toBe(false);
  await own.close();
});

it("gets the person's options for every task, and answers also when one failed [PLANNER-5, PLANNER-3]", async () => {
  const steps = (...script: object[]) => ({ script: JSON.stringify(script) });
  const made = {
    name: 'partly',
    landing: { into: 'elsewhere' },
    tasks: {
      good: { prompt: 'good', settings: steps({ write: { path: 'good.txt', text: 'good\n' } }, { commit: 'Good' }) },
      bad: { prompt: 'bad', settings: steps({ fail: 'cannot' }), retry: { attempts: 9 } },
      after: { prompt: 'after', needs: 'bad', settings: steps({ say: 'never' }) },
    },
  };
  world.git('branch', 'target');
  const answer = 'Good is there. Bad could not be done, so after was not tried.';
  const rules = ['--deny', 'Bash(rm:*)', '--check', 'test -f good.txt', '--retries', '1', '--timeout', '300'];
  const ofRun = ['--name', 'mine', '--max-agents', '20', '--into', 'target'];
  const scripts = ['--script', world.script([{ output: { answer } }])];
  const { code, stdout, stderr } = await world.sb(planned(made, '--yes', ...scripts, ...rules, ...ofRun));
  expect(code, stderr).toBe(6);
  expect(stdout.endsWith(`\n${answer}\n`)).toBe(true);
  const run = (await world.list()).find(({ name }) => name === 'mine');
  const task = (name: string) => run?.tasks.find((each) => each.name === name);
  expect(run).toMatchObject({ outcome: 'partial', into: 'target', budget: [{ limit: 19 }] });
  expect(task('good')?.attempt?.checks).toContainEqual(
    expect.objectContaining({ check: 'test-f-good-txt', passed: true }),
  );
  expect(task('bad')?.attempts).toBe(2);
  const { stdout: events } = await world.sb(['events', run?.id ?? '', '--json']);
  expect(events.match(/"deny":\["Bash\(rm:\*\)"\]/g)).toHaveLength(4);
  expect(events.match(/"timeoutMs":300000/g)).toHaveLength(4);
});

onNewestCli('a planner', (begin) => {
  it('real CLI: gives a plan by its schema [PLANNER-1]', async (context) => {
    const ground = begin(context);
    const request = ground.prompt([{ run: 'ls' }, { output: plan }]);
    const args = ['run', '--plan', request, '--harness', 'claude', '--model', model, '--yes', '--stubs'];
    const { code, stdout, stderr } = await ground.world.sb(args);
    expect(code, stderr).toBe(0);
    expect(stdout).toContain('This is a placeholder: no agent has worked on the request.');
  });
});
