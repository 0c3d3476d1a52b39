// Agents that ask for agents, as people meet them: what they may say beforehand, what they see, and how they answer.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunEvent } from '../../src/wire/events.ts';
import type { RunView } from '../../src/wire/views.ts';
import { openWorld, type World } from './daemon-world.ts';

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

describe('agents that are asked for', () => {
  it('take the roles that there are here, with what of their settings means something to them [CREW-82]', async () => {
    putRole('scribe', 'model: small\ntools: Read\n', 'Write little.');
    const lead = world.script([
      call('spawn_agent', { name: 'a', role: 'scribe', prompt: 'Write a.md with one letter in it.', script: child }),
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
      prompt: 'Write little.\n\n---\n\nWrite a.md with one letter in it.',
    });
    expect(added[1]?.settings).toEqual({ model: 'small', script: JSON.stringify(child) });
    expect(added[2]?.prompt).toMatch(/^You carry out one change[^]*\n\n---\n\nWrite a note on sorting\.$/);
    const refusals = events.flatMap((event) => (event.type === 'call.answered' && event.isError ? [event.text] : []));
    expect(refusals).toEqual([expect.stringMatching(/^refused: there is no role "nobody".*scribe/)]);
  });

  it('are bounded by what the plan says, and before it by the command line [CREW-81]', async () => {
    const two = ['a', 'b'].map((name) =>
      call('spawn_agent', { name, prompt: `Write the file ${name}.md with a letter in it.`, script: child }),
    );
    const plan = join(world.repo, 'led.plan.yaml');
    const settings = JSON.stringify({ script: JSON.stringify([...two, call('wait', {})]) });
    writeFileSync(
      plan,
      `name: led\nlimits: { agents: { in-all: 2 } }\ntasks:\n  lead: { prompt: x, harness: scripted, settings: ${settings} }\n`,
    );
    const limits = async (...options: string[]): Promise<string[]> => {
      const { code, stdout, stderr } = await world.sb(['run', plan, '--json', ...options]);
      expect(code, stderr).toBe(0);
      const { id } = JSON.parse(stdout) as RunView;
      const events = await eventsOf(id);
      return events.flatMap((event) => (event.type === 'limit.reached' ? [`${event.limit} ${event.max}`] : []));
    };
    expect(await limits()).toEqual(['agentsMax 2']);
    expect(await limits('--agents-in-all', '3')).toEqual([]);
    expect(await limits('--depth', '1')).toEqual(['depthMax 1']);
    const wrong = await world.sb(['run', 'x', '--depth', '21']);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('crew.depthMax')]);
  });
});
