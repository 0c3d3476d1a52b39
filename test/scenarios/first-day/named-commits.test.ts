// A verdict about a commit that does not exist is refused, and the agent is told in the words of the validator.

import { afterEach, beforeEach, expect, it } from 'vitest';
import { kindSchemas } from '../../../src/model/attempt/artifact-kinds.ts';
import type { World } from '../daemon/daemon-world.ts';
import { recordOf, runEnd, submit } from '../spending/limits-world.ts';
import { shareDaemon } from '../world/shared-world.ts';

const openWorld = shareDaemon();
let world: World;
beforeEach(async () => {
  world = openWorld();
  await world.up();
});
afterEach(() => world.close());

const nowhere = 'f'.repeat(40);
const verdict = (commit: string) => ({ commit, decision: 'pass', reasons: [] });

it('an output that names a commit that does not exist is corrected, one that exists is taken [EVID-7]', async () => {
  const steps = [
    { output: verdict(nowhere) },
    { say: 'Judged.' },
    { turn: 'Again.' },
    { output: verdict(world.git('rev-parse', 'HEAD')) },
    { say: 'Judged again.' },
  ];
  const settings = { script: JSON.stringify(steps) };
  const { id } = await submit(world, [
    {
      name: 'judge',
      prompt: 'Judge it.',
      harness: 'scripted',
      output: kindSchemas.verdict,
      outputKind: 'verdict',
      settings,
    },
  ]);
  const run = await runEnd(world, id);
  expect(run.outcome).toBe('succeeded');
  const told = JSON.stringify((await recordOf(world, id)).filter(({ type }) => type === 'record.queued'));
  expect(told).toContain('Your output was not accepted:');
  expect(told).toContain('/commit must name a commit of the repository: there is no commit');
});

it('submit_artifact refuses such a verdict with the same words [EVID-7]', async () => {
  const call = (commit: string) => ({
    call: { tool: 'mcp__signalbox__submit_artifact', input: { kind: 'verdict', value: verdict(commit) } },
  });
  const steps = [call(nowhere), call(world.git('rev-parse', 'HEAD')), { say: 'Judged.' }];
  const { id } = await submit(world, [
    { name: 'judge', prompt: 'Judge it.', harness: 'scripted', settings: { script: JSON.stringify(steps) } },
  ]);
  await runEnd(world, id);
  const record = JSON.stringify(await recordOf(world, id));
  expect(record).toContain('refused: it does not fit:');
  expect(record).toContain('/commit must name a commit of the repository');
  const listed = JSON.parse((await world.sb(['artifacts', id, '--json'])).stdout) as object;
  expect(JSON.stringify(listed).match(/"verdict"/g)).toHaveLength(1);
});
