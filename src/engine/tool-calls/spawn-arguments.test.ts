import { describe, expect, it } from 'vitest';
import { submitted, task, taskId } from '../../../test/model/story.ts';
import { createClaude } from '../../harness/claude/claude.ts';
import { createScripted } from '../../harness/scripted/scripted.ts';
import { taskOf } from '../../model/core/lookup.ts';
import type { CallRequest } from '../../model/tool-calls/call.ts';
import type { Harness } from '../../ports/harness.ts';
import { readSpawn } from './spawn-arguments.ts';

const all: Readonly<Record<string, Harness>> = {
  claude: createClaude({ binary: 'claude', model: 'm', env: {} }),
  scripted: createScripted('node'),
};
const ports = { harness: (name: string) => all[name] ?? null, harnessFlaw: () => null };

/** The result when an agent of such a task spawns one of that harness. */
function asked(parent: Parameters<typeof task>[1], harness: string): CallRequest | string {
  const { run } = submitted(task('a', { sandbox: 'workspace', ...parent }));
  const script = harness === 'scripted' ? { script: [{ run: 'id' }] } : {};
  return readSpawn(ports, run, taskOf(run, taskId('a')), { prompt: 'Look at all files.', harness, ...script });
}

describe('a child in another harness', () => {
  const rules = { allow: [], ask: [], deny: [] };
  it.each([
    ['has not all tools', { settings: { builtInTools: 'Read' } }],
    ['may not use some tools', { settings: { disallowedTools: 'Bash' } }],
    ['has no sandbox, and so asks', { sandbox: 'none' }],
    ['has to ask before some', { permissions: { ...rules, ask: ['Bash'] } }],
    ['may not do some things', { permissions: { ...rules, deny: ['Bash'] } }],
  ] as const)('does not do what its parent may not, which %s [CHILD-91]', (_, limits) => {
    const refused = asked({ harness: 'claude', ...limits }, 'scripted');
    expect(refused).toContain('agents of the harness "scripted" do what they are told and ask nobody');
    expect(asked({ harness: 'claude', ...limits }, 'claude')).toMatchObject({ tool: 'spawn_agent' });
  });

  it('may be one that never asks for permission if its parent may do everything, or is one itself', () => {
    expect(asked({ harness: 'claude' }, 'scripted')).toMatchObject({ work: { harness: 'scripted' } });
    const held = { harness: 'scripted', sandbox: 'none' } as const;
    expect(asked(held, 'scripted')).toMatchObject({ work: { harness: 'scripted' } });
  });
});

it('a child gets the model that its tier means in its own harness, by the table of its run [TIER-2]', () => {
  const { run } = submitted(task('a', { harness: 'claude', sandbox: 'workspace', settings: { model: 'opus' } }));
  const models = { claude: { cheap: 'haiku' }, scripted: {} };
  Object.assign(run, {
    spec: { ...run.spec, models, roles: { judge: { prompt: 'Judge.', settings: { model: 'cheap' } } } },
  });
  const spawn = (more: object) =>
    readSpawn(ports, run, taskOf(run, taskId('a')), { prompt: 'Look at all files.', ...more });
  expect(spawn({ model: 'cheap' })).toMatchObject({ work: { settings: { model: 'haiku' } } });
  expect(spawn({ role: 'judge' })).toMatchObject({ work: { settings: { model: 'haiku' } } });
  const other = spawn({ harness: 'scripted', model: 'cheap' }) as { work: { settings: object } };
  expect(other.work.settings).not.toHaveProperty('model');
});
