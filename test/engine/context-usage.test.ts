// How full a window is, from events in any order.

import { expect, it } from 'vitest';
import { followFilling } from '../../src/engine/watch/context-usage.ts';
import type { AgentEvent } from '../../src/model/session/agent-fact.ts';
import { openMemoryJournal } from '../../src/store/memory/memory-journal.ts';
import { attempt, launched, submitted, task } from '../model/story.ts';
import { quietWorld } from './quiet-world.ts';

function kindsAfter(...events: readonly AgentEvent[]): readonly string[] {
  const story = submitted(task('a', { context: { how: 'handoff', percent: 80 } }));
  launched(story, 'a');
  const live = story.run.live.get(attempt('a'));
  const harness = quietWorld(openMemoryJournal()).ports.harness('scripted');
  if (live === undefined || harness === null) throw new Error('it is there');
  const filling = followFilling(story.run, live, harness);
  return events.flatMap((event) => filling(event).map(({ kind }) => `${kind} by ${event.kind}`));
}

const used: AgentEvent = { kind: 'context', tokens: 170_000 };
const asked: AgentEvent = { kind: 'window', tokens: 200_000, inTurn: true };

it('a full window is reported once, whichever is known first: its size or its content [HAND-3]', () => {
  expect(kindsAfter(asked, used, used)).toEqual(['filled by context']);
  expect(kindsAfter(used, asked, used)).toEqual(['filled by window']);
  expect(kindsAfter({ kind: 'context', tokens: 20_000 }, asked)).toEqual([]);
});

it('a window size that comes with the end of a turn triggers nothing by itself [HAND-3]', () => {
  expect(kindsAfter(used, { kind: 'window', tokens: 200_000 })).toEqual([]);
});
