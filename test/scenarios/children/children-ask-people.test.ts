// Agents that ask for agents, as people meet them: what they may say beforehand, what they see, and how they answer.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunEvent } from '../../../src/wire/event-names.ts';
import type { RunView } from '../../../src/wire/views.ts';
import { until } from '../../until.ts';
import { readOr, type World } from '../daemon/daemon-world.ts';
import { shareDaemon } from '../world/shared-world.ts';

const openWorld = shareDaemon({ SIGNALBOX_NOTIFY: 'cat >>"$SIGNALBOX_HOME/told"' });
let world: World;

beforeEach(() => {
  world = openWorld();
});

afterEach(() => world.close());

const call = (tool: string, input: object): object => ({ call: { tool: `mcp__signalbox__${tool}`, input } });

async function eventsOf(run: string): Promise<RunEvent[]> {
  const { stdout } = await world.sb(['events', run, '--json']);
  const lines = stdout.trim().split('\n');
  return lines.map((line) => (JSON.parse(line) as { event: RunEvent }).event);
}

function putRole(name: string, head: string, prompt: string): void {
  const folder = join(world.repo, '.signalbox/roles');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.md`), `---\nname: ${name}\ndescription: d\n${head}---\n${prompt}\n`);
}

const child = [{ write: { path: 'a.md', text: 'a\n' } }];

describe('children', () => {
  it('take the roles that exist here, with the settings that their harness has [CHILD-82]', async () => {
    putRole('scribe', 'model: small\ntools: Read\n', 'Write little.');
    const lead = world.script([
      call('spawn_agent', { name: 'a', role: 'scribe', prompt: 'Write a.md with one word in it.', script: child }),
      call('spawn_agent', { name: 'b', role: 'implementer', prompt: 'Write a note on sorting.', script: child }),
      call('spawn_agent', { name: 'c', role: 'nobody', prompt: 'Write a note on sorting.', script: child }),
      call('wait', {}),
    ]);
    const { code, stdout, stderr } = await world.sb(['run', 'lead', '--script', lead, '--json']);
    expect(code, stderr).toBe(0);
    const { id, tasks } = JSON.parse(stdout) as RunView;
    expect(tasks.map(({ name }) => name)).toEqual(['lead', 'a', 'b']);
    const events = await eventsOf(id);
    const added = events.flatMap((event) => (event.type === 'task.added' ? [event.task] : []));
    expect(added[1]).toMatchObject({
      role: 'scribe',
      prompt: 'Write little.\n\n---\n\nWrite a.md with one word in it.',
    });
    expect(added[1]?.settings).toEqual({ model: 'small', script: JSON.stringify(child) });
    expect(added[2]?.prompt).toMatch(/^You make one change[^]*\n\n---\n\nWrite a note on sorting\.$/);
    const refusals = events.flatMap((event) => (event.type === 'call.answered' && event.isError ? [event.text] : []));
    expect(refusals).toEqual([expect.stringMatching(/^refused: there is no role "nobody".*scribe/)]);
  });

  it('are limited by the plan, and before it by the command line [CHILD-81]', async () => {
    const two = ['a', 'b'].map((name) =>
      call('spawn_agent', { name, prompt: `Write the file ${name}.md with a message in it.`, script: child }),
    );
    const plan = join(world.repo, 'led.plan.yaml');
    const settings = JSON.stringify({ script: JSON.stringify([...two, call('wait', {})]) });
    writeFileSync(
      plan,
      `name: led\nlimits: { agents: { in-all: 1 } }\ntasks:\n  lead: { prompt: x, harness: scripted, settings: ${settings} }\n`,
    );
    const limits = async (...options: string[]): Promise<string[]> => {
      const { code, stdout, stderr } = await world.sb(['run', plan, '--json', ...options]);
      expect(code, stderr).toBe(0);
      const { id } = JSON.parse(stdout) as RunView;
      const events = await eventsOf(id);
      return events.flatMap((event) => (event.type === 'limit.reached' ? [`${event.limit} ${event.max}`] : []));
    };
    expect(await limits()).toEqual(['agentsMax 1']);
    expect(await limits('--agents-in-all', '2')).toEqual([]);
    expect(await limits('--depth', '1')).toEqual(['depthMax 1']);
    const wrong = await world.sb(['run', 'x', '--depth', '21']);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('children.depthMax')]);
  });
});

describe('children in views', () => {
  const asking = [
    call('report_progress', { line: 'half of it', fraction: 0.5 }),
    call('ask_person', { question: 'Which side?\nI cannot tell.', options: ['left side', 'right'] }),
  ];
  const prompt = 'Ask which side is meant, and write it down.';
  const steps = [
    call('report_progress', { line: 'dividing the work' }),
    call('spawn_agent', { name: 'scout', prompt, script: asking }),
    call('spawn_agent', { name: 'second', prompt, script: asking }),
    call('wait', {}),
  ];

  it('stand below their parent with their progress; their questions wait in the inbox, and nothing else is waited for [CHILD-83] [CHILD-84] [CHILD-85] [CHILD-87]', async () => {
    const args = ['run', 'lead', '--script', world.script(steps), '--agents-in-all', '1'];
    // A client that follows the run does not wait if only a person can help.
    const { code, stdout, stderr } = await world.sb(args);
    expect([code, stderr]).toEqual([3, expect.stringContaining('The run waits for your answer')]);
    for (const line of [
      / lead +dividing the work$/m,
      / scout +spawned by lead$/m,
      / lead +limit reached: .*\(limit agents-in-all: 1\)$/m,
      / lead +waits for scout$/m,
      / scout +50 %: half of it$/m,
    ])
      expect(stdout).toMatch(line);
    const seen = (await world.sb(['ps'])).stdout;
    expect(seen).toMatch(
      /^ {2}"lead" reached a limit of the run: 1 spawned agents in total \(raise it: signalbox limits run_\w+ --agents-in-all 2\)$/m,
    );
    expect(seen).toMatch(/^ {2}lead {5}waits for the end of scout; it says: dividing the work$/m);
    expect(seen).toMatch(/^ {4}scout {2}waits for a person: Which side\? \(ask_\w+-q1\); it says: 50 %: half of it$/m);
    const inbox = await world.sb(['inbox']);
    expect(inbox.code).toBe(3);
    expect(inbox.stdout).toMatch(/its agent asks, in its own words:\n {4}Which side\?\n {4}I cannot tell\.\n/);
    expect(inbox.stdout).toMatch(/^ {2}signalbox answer ask_\w+-q1 'left side'$/m);
    expect(inbox.stdout).toMatch(/^to know {2}\(lead\)\n {4}"lead" reached a limit/m);
    const { id: runId } = (await world.only()).run;
    const told = () => toldOf(join(world.home, 'told'), runId);
    await until(() => told().length === 2, { timeoutMs: 20_000, what: 'question and limit to be told' });
    expect(told().sort()).toEqual(['asks', 'limit']);
    const wrong = await world.sb(['approve', 'scout', '--choose', 'up']);
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('"up" is no choice')]);
    expect((await world.sb(['answer', 'scout', 'neither', 'of', 'them'])).stdout).toBe('scout: answer sent.\n');
    const { run } = await world.ended();
    expect(run.outcome).toBe('succeeded');
    expect((await world.sb(['logs', 'scout'])).stdout).toMatch(/trust="person"[^>]*>\n> > neither of them\n/);
    expect((await world.sb(['ps', '--all'])).stdout).toMatch(/^ {2}lead {5}succeeded.*\n {4}scout {2}succeeded/m);
    expect((await world.sb(['inbox'])).stdout).toBe('Nothing waits for you.\n');
  });

  it('may become more while they run, over a restart, if a person says so [CHILD-89]', async () => {
    const go = { waitFor: world.path('go') };
    const [, first = {}, second = {}] = steps;
    const args = ['run', 'lead', '--script', world.script([first, second, go, second]), '--agents-in-all', '1', '-d'];
    expect((await world.sb(args)).code).toBe(0);
    await until(async () => (await world.sb(['inbox'])).stdout.includes('reached a limit'), { what: 'a refusal' });
    const shown = await world.sb(['limits', 'lead', '--agents-in-all', '2']);
    expect([shown.code, shown.stdout]).toEqual([0, expect.stringMatching(/^agents-in-all +2 +200 /m)]);
    const wrong = await world.sb(['limits', 'lead', '--depth', '21']);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringMatching(/depth is from 1 to 20$/m)]);
    await world.killDaemon();
    expect((await world.sb(['limits', 'lead'])).stdout).toMatch(/^agents-in-all +2 +200 /m);
    expect((await world.sb(['inbox'])).stdout).not.toContain('reached a limit');
    world.touch('go');
    await until(async () => (await world.sb(['ps'])).stdout.includes('second'), { what: 'the second to be asked for' });
    expect((await world.sb(['stop', 'lead'])).code).toBe(0);
    await world.ended();
    expect((await world.sb(['limits', 'lead', '--depth', '3'])).stderr).toContain('the run has ended');
  });

  it('have a readable journal [CHILD-86]', async () => {
    const { stdout } = await world.sb(['run', 'lead', '--script', world.script(steps.slice(0, 1)), '--json']);
    const { id } = JSON.parse(stdout) as RunView;
    const [created = ''] = (await world.sb(['events', id])).stdout.split('\n');
    expect(created).toMatch(/ run\.created .*"roles":\[[^{}]*"implementer"/);
    const [whole = ''] = (await world.sb(['events', id, '--json'])).stdout.split('\n');
    expect(whole).toContain('You make one change');
    expect((await world.sb(['logs', 'lead'])).stdout).toContain('[uses signalbox report_progress: dividing the work]');
  });
});

/** The kinds of notices of a run that people were sent. */
function toldOf(path: string, runId: string): string[] {
  const lines = readOr(path)
    .split('\n')
    .filter((line) => line !== '');
  const all = lines.map((line) => JSON.parse(line) as { kind: string; runId: string });
  return all.filter((each) => each.runId === runId).map(({ kind }) => kind);
}
