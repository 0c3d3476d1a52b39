// Plan files as people use them: written, checked, drawn, tried without pay, run, and refused with line and column.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunView } from '../../../src/wire/views.ts';
import { until } from '../../until.ts';
import { openWorld as openOwnWorld, type World } from '../daemon/daemon-world.ts';
import { shareDaemon } from '../world/shared-world.ts';

const openWorld = shareDaemon();
let world: World;

beforeEach(() => {
  world = openWorld();
});

afterEach(() => world.close());

function put(file: string, text: string): void {
  mkdirSync(join(world.repo, file, '..'), { recursive: true });
  writeFileSync(join(world.repo, file), text);
}

const isDaemonUp = (): boolean => existsSync(join(world.home, 'daemon.json'));

describe('plan', () => {
  it('new writes a plan that passes its own check, and replaces none [PLAN-29]', async () => {
    const made = await world.sb(['plan', 'new', 'bugs']);
    expect(made).toMatchObject({ code: 0, stdout: 'bugs.plan.yaml\n' });
    const text = readFileSync(join(world.repo, 'bugs.plan.yaml'), 'utf8');
    expect(text).toMatch(/^# yaml-language-server: \$schema=\S+\/docs\/plan\.schema\.json\n/);
    const checked = await world.sb(['plan', 'check', 'bugs.plan.yaml', '--strict']);
    expect(checked).toMatchObject({ code: 0, stdout: 'bugs.plan.yaml: 3 tasks, no problems\n', stderr: '' });
    const again = await world.sb(['plan', 'new', 'bugs.plan.yaml']);
    expect(again.code).toBe(2);
    expect(again.stderr).toContain('bugs.plan.yaml exists already');
    expect(isDaemonUp()).toBe(false);
  });

  it('check reports every problem with its place and ends with 2; warnings alone with 0 [PLAN-11]', async () => {
    put('a.plan.yaml', 'name: x\ntasks:\n  a: { run: x, writes: [s/**] }\n  b: { run: x, writes: [s/b], needs: [] }\n');
    const warned = await world.sb(['plan', 'check', 'a.plan.yaml']);
    expect(warned.code).toBe(0);
    expect(warned.stderr).toContain('a.plan.yaml:4:24: warning: "b" and "a" could run together');
    const strict = await world.sb(['plan', 'check', 'a.plan.yaml', '--strict', '--json']);
    expect(strict).toMatchObject({ code: 2, stderr: '' });
    expect(JSON.parse(strict.stdout)).toMatchObject({
      ok: false,
      problems: [{ severity: 'error', line: 4, column: 24 }],
    });
    const none = await world.sb(['plan', 'check', 'nowhere.plan.yaml']);
    expect(none).toMatchObject({ code: 2 });
    expect(none.stderr).toContain('there is no file nowhere.plan.yaml');
  });

  it('check knows the roles of the repository, and reports a broken one [PLAN-11]', async () => {
    put('a.plan.yaml', 'name: x\ntasks:\n  a: { prompt: x, role: mine }\n  b: { prompt: x, role: jugde }\n');
    put('.signalbox/roles/mine.md', 'no head');
    const { code, stderr } = await world.sb(['plan', 'check', 'a.plan.yaml']);
    expect(code).toBe(2);
    expect(stderr).toContain('.signalbox/roles/mine.md:1:1: error: there is no front matter');
    expect(stderr).toContain('a.plan.yaml:4:25: error: there is no role "jugde"\n  did you mean "judge"?');
    expect(stderr).not.toContain('there is no role "mine"');
  });

  it('graph draws the needs [PLAN-11]', async () => {
    put(
      'a.plan.yaml',
      'name: x\ntasks:\n  a: { run: x, on-failure: continue }\n  b: { run: x, needs: a, matrix: [1, 2] }\n',
    );
    const text = await world.sb(['plan', 'graph', 'a.plan.yaml']);
    expect(text.stdout).toBe('x\n  a      [command]\n  b × 2  after a?  [command]\n? only has to have ended\n');
    const mermaid = await world.sb(['plan', 'graph', 'a.plan.yaml', '--format', 'mermaid']);
    expect(mermaid.stdout).toBe('---\ntitle: x\n---\nflowchart TD\n  t0["a"]\n  t1[["b × 2"]]\n  t0 -.-> t1\n');
    const json = await world.sb(['plan', 'graph', 'a.plan.yaml', '--format', 'json']);
    expect(JSON.parse(json.stdout)).toMatchObject({
      name: 'x',
      nodes: [
        { name: 'a', kind: 'task' },
        { name: 'b', kind: 'matrix', needs: ['a'] },
      ],
    });
  });
});

describe('run', () => {
  const two = `name: two
inputs: { word: { description: what to write } }
tasks:
  write:
    run: printf '%s' "$WORD" >word.txt
    env: { WORD: "\${{ inputs.word }}" }
    writes: word.txt
  read: { run: [test, -s, word.txt], needs: write, writes: [] }
`;

  it('a plan with an error starts nothing, not even a daemon [PLAN-12]', async () => {
    put('a.plan.yaml', two.replace('needs: write', 'needs: wirte'));
    const { code, stderr } = await world.sb(['run', 'a.plan.yaml', '--input', 'word=x']);
    expect(code).toBe(2);
    expect(stderr).toBe('a.plan.yaml:8:45: error: there is no task "wirte"\n  did you mean "write"?\n');
    expect(isDaemonUp()).toBe(false);
  });

  it('an input without a value, an unknown one and a wrong setting are refused [PLAN-12]', async () => {
    put('a.plan.yaml', two);
    const refused = async (...words: string[]): Promise<string> => {
      const { code, stderr } = await world.sb(['run', ...words]);
      expect(code).toBe(2);
      return stderr;
    };
    expect(await refused('a.plan.yaml')).toContain('a.plan.yaml:2:11: error: the input "word" has no value');
    expect(await refused('a.plan.yaml', '--input', 'wrod=1', '--input', 'word=2')).toContain('did you mean "word"?');
    expect(await refused('a.plan.yaml', '--input', 'word')).toContain('write a name and a value');
    expect(await refused('a.plan.yaml', 'and a prompt')).toContain('a plan file is run by itself');
    expect(await refused('a.plan.yaml', '--model', 'x')).toContain('--model is not for plan files');
    expect(await refused('a prompt', '--dry-run')).toContain('--dry-run is for plan files');
    expect(isDaemonUp()).toBe(false);
  });

  it('a model that Claude Code does not have is refused with similar names, in a plan and for a prompt [PLAN-28]', async () => {
    put('a.plan.yaml', 'name: x\ndefaults: { harness: claude, model: opsu }\ntasks: { a: { prompt: x } }\n');
    const told = 'Claude Code has no model "opsu"; did you mean "opus"?';
    const checked = await world.sb(['plan', 'check', 'a.plan.yaml']);
    expect(checked.code).toBe(2);
    expect(checked.stderr).toContain(`a.plan.yaml:2:37: error: ${told}`);
    const run = await world.sb(['run', 'do it', '--harness', 'claude', '--model', 'opsu']);
    expect(run.code).toBe(2);
    expect(run.stderr).toContain(told);
    expect(await world.list()).toEqual([]);
  });

  it('a dry run prints waves and starts nothing [PLAN-13]', async () => {
    // A running daemon reports how many slots it has.
    world = openOwnWorld();
    put(
      'a.plan.yaml',
      'name: x\nlimits: { max-parallel: 2 }\ntasks:\n  a: { run: x, writes: s }\n  b: { run: x, writes: s/b }\n  c: { run: x, matrix: [1, 2, 3] }\n  d: { run: x, needs: [a, b, c], when: tasks.a.result }\n',
    );
    const { code, stdout } = await world.sb(['run', 'a.plan.yaml', '--dry-run'], { env: { SIGNALBOX_SLOTS: '9' } });
    expect(code).toBe(0);
    expect(stdout).toBe(`x: 4 tasks in 4 waves, were all equally long (max-parallel 2, 9 slots on this host)
wave 1   a, c (1 of 3)
         b waits for a: s
wave 2   b, c (1 of 3)
wave 3   c (1 of 3)
wave 4   d?
? only if its condition holds
worst case: no money is spent
nothing was started
`);
    expect(isDaemonUp()).toBe(false);
  });

  it('a plan runs to its end, and its values reach commands by environment [PLAN-12, PLAN-6]', async () => {
    put('a.plan.yaml', two);
    const word = `"; touch /tmp/never; $(touch never) '`;
    const ran = await world.sb(['run', 'a.plan.yaml', '--input', `word=${word}`, '--json']);
    const view = JSON.parse(ran.stdout);
    expect(view.tasks.map(({ name }: { name: string }) => name)).toEqual(['write', 'read']);
    const diff = await world.sb(['diff', 'write']);
    expect(diff.stdout).toContain(`+${word}`);
    expect(diff.stdout).not.toContain('never\n+++');
  });

  it('a task goes on with the succeeded part of a matrix, if that is enough [PLAN-19, GRAPH-7]', async () => {
    put(
      'a.plan.yaml',
      `name: x
tasks:
  each: { matrix: ["true", "false"], run: [sh, -c, "\${{ matrix }}"] }
  some: { run: "true", when: { each: at-least-1 } }
  every: { run: "true", when: { each: all } }
  any: { run: "true", when: { each: any-outcome, some: all } }
  plain: { run: "true", needs: each }
`,
    );
    const { stdout } = await world.sb(['run', 'a.plan.yaml', '--json']);
    const view = JSON.parse(stdout) as RunView;
    expect(Object.fromEntries(view.tasks.map(({ name, outcome }) => [name, outcome?.kind]))).toEqual({
      each: 'failed',
      'each.true': 'succeeded',
      'each.false': 'failed',
      some: 'succeeded',
      every: 'omitted',
      any: 'succeeded',
      plain: 'skipped',
    });
  });

  it('a plan that is edited while it runs changes nothing [PLAN-25]', async () => {
    const hold = JSON.stringify([{ waitFor: world.path('go') }]);
    const plan = (word: string): string => `name: x
tasks:
  hold: { prompt: x, settings: { script: '${hold}' } }
  tell: { needs: hold, run: "printf ${word} >'${world.path('word')}'" }
`;
    put('a.plan.yaml', plan('before'));
    const started = world.start(['run', 'a.plan.yaml', '--json']);
    await until(() => world.agents().length === 1, { timeoutMs: 20_000, what: 'the first task to be at work' });
    put('a.plan.yaml', plan('after').replace('  tell:', '  more: { run: "false" }\n  tell:'));
    world.touch('go');
    const { code, stdout } = await started.ended;
    const view = JSON.parse(stdout) as RunView;
    expect([code, view.outcome, view.tasks.map(({ name }) => name)]).toEqual([0, 'succeeded', ['hold', 'tell']]);
    expect(world.text('word')).toBe('before');
  });

  it('with stubs nothing is spent and no command runs [PLAN-14]', async () => {
    put(
      'a.plan.yaml',
      'name: x\ntasks:\n  a: { prompt: "do it", harness: claude, model: opus, checks: ["false"] }\n  b: { run: "exit 1", needs: a }\n',
    );
    const ran = await world.sb(['run', 'a.plan.yaml', '--stubs', '--json']);
    expect(ran.code).toBe(0);
    expect(JSON.parse(ran.stdout)).toMatchObject({ outcome: 'succeeded' });
    expect((await world.sb(['logs', 'a'])).stdout).toContain('This stands for the work of a.');
  });
});
