import { expect, it } from 'vitest';
import { atWork, named } from '../../../test/model/children-story.ts';
import { submitted, task } from '../../../test/model/story.ts';
import { must } from '../../std/assert.ts';
import type { EffectContext } from '../effects/run-effect.ts';
import { readCall } from './tool-calls.ts';

/** The answer that the engine itself gives an agent under these rules; null = the model decides. */
async function answered(deny: readonly string[], tool: string): Promise<string | null> {
  const story = submitted(task('a', { permissions: { allow: [], ask: [], deny } }));
  atWork(story, 'a');
  const context = { run: story.run } as unknown as EffectContext;
  const event = {
    kind: 'toolServerCall',
    requestId: 'r',
    rpcId: 1,
    server: 'signalbox',
    tool,
    toolUseId: null,
  } as const;
  const attempt = must(named(story, 'a').attempt, 'at work');
  const { request } = await readCall(context, attempt, { ...event, input: {} }, false);
  return request.tool === 'answered' ? request.text : null;
}

it('a Signalbox tool that a rule denies is refused [PERM-6]', async () => {
  expect(await answered(['mcp__signalbox__list_tasks'], 'list_tasks')).toBe(
    'refused: the rules of this run do not permit it',
  );
  expect(await answered(['mcp__signalbox__*'], 'team_list')).toContain('do not permit');
  expect(await answered(['mcp__signalbox__list_tasks', 'Bash'], 'team_list')).toBeNull();
});
