// What plans add to a run's story: time that passes, outputs that are given, and a look at all tasks at once.

import type { Json } from '../../src/model/core/json.ts';
import { attempt, down, integrated, launch, launched, type Story, saved, taskId } from './story.ts';

/** Time passes until nothing follows from it. */
export function settle(story: Story): void {
  while (story.tell({ type: 'tick' }).length > 0);
}

/** The agent reads its records, gives its output, and ends its turn. */
export function give(story: Story, name: string, value: Json | undefined, problems: readonly string[] = []): void {
  const live = story.run.live.get(attempt(name));
  const offset = live?.launches.current?.offset ?? 0;
  const records = live === undefined ? [] : (story.run.agents.get(live.agentId)?.mailbox.records ?? []);
  story.tell({
    type: 'output',
    launchId: launch(name),
    from: offset,
    to: offset + 100,
    codec: '{}',
    replies: [],
    facts: [
      ...records.map(({ id }) => ({ kind: 'delivered', recordId: id }) as const),
      ...(value === undefined ? [] : [{ kind: 'output', value, problems } as const]),
      { kind: 'turnEnded', turn: { kind: 'ok', text: 'done', cut: false } },
    ],
  });
}

/** The whole way of a task with an output. */
export function succeedWith(story: Story, name: string, value: Json): void {
  launched(story, name);
  give(story, name, value);
  down(story, name, 0);
  saved(story, name);
  integrated(story, name);
}

export const states = (story: Story): Record<string, string> =>
  Object.fromEntries(
    Array.from(story.run.tasks.values(), ({ spec, state, outcome }) => [spec.name, outcome?.kind ?? state]),
  );

export function must(story: Story, name: string) {
  const found = story.run.tasks.get(taskId(name));
  if (found === undefined) throw new Error(`no task ${name}`);
  return found;
}
