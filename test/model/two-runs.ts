// Two runs in tests of the model: agents that call tools, and messages that are carried from one to the other as the engine does.

import type { Outcome } from '../../src/engine/command-queue.ts';
import { post } from '../../src/engine/effects/post-effect.ts';
import type { ChildLimits } from '../../src/model/core/child-limits.ts';
import type { RunId } from '../../src/model/core/ids.ts';
import { evolve } from '../../src/model/evolve.ts';
import type { CallRequest } from '../../src/model/tool-calls/call.ts';
import { createStory, launch, launched, type Story, task, taskId } from './story.ts';

export interface Told {
  readonly text: string;
  readonly isError: boolean;
}

/** Its tasks are at work. */
export function runOf(id: RunId, names: readonly string[], children: Partial<ChildLimits> = {}): Story {
  const story = createStory();
  const limits = { parallelMax: 100, children };
  const run = { id, name: id.slice(4), repo: { path: `/repo/${id}`, base: 'b0' }, limits, integrates: true };
  story.tell({ type: 'submit', run, tasks: names.map((name) => task(name)) });
  for (const name of names) launched(story, name);
  return story;
}

let calls = 0;

/** What an agent is answered to a call of one of our tools. */
export function call(story: Story, name: string, request: CallRequest, worked = false): Told {
  calls += 1;
  const offset =
    [...story.run.live.values()].find(({ taskId: id }) => id === taskId(name))?.launches.current?.offset ?? 0;
  const events = story.tell({
    type: 'output',
    launchId: launch(name),
    from: offset,
    to: offset + 10,
    codec: '{}',
    replies: [],
    facts: [
      { kind: 'call', callId: `c${calls}`, requestId: `r${calls}`, rpcId: calls, excerpt: '{}', worked, request },
    ],
  });
  const told = events.find((event) => event.type === 'call.answered');
  if (told === undefined) throw new Error('it is answered');
  return { text: told.text, isError: told.isError };
}

/** As src/engine/tool-calls reads it. */
export function write(from: Story, name: string, to: Story, toName: string, text: string, worked = false): Told {
  const spec = to.run.spec;
  if (spec === null) throw new Error('it has begun');
  const across = { runId: spec.id, run: spec.name, repo: spec.repo.path, taskId: taskId(toName), task: toName };
  return call(from, name, { tool: 'send_message', to: `${spec.id}/${toName}`, text, type: null, across }, worked);
}

/** Delivers the next waiting message, if there is one; `lost`: its own run does not get the result. */
export async function carryOne(from: Story, others: readonly Story[], lost = false): Promise<boolean> {
  const effect = from.pending().effects.find(({ kind }) => kind === 'post');
  if (effect?.kind !== 'post') return false;
  const sendTo = async (runId: RunId, command: Parameters<Story['ask']>[0]): Promise<Outcome> => {
    const other = others.find(({ run }) => run.spec?.id === runId);
    const decision = (other ?? createStory()).ask(command);
    if (decision.kind === 'refused') return decision;
    other?.tell(command);
    return { kind: 'accepted' };
  };
  const result = await post(effect, { run: from.run, sendTo } as Parameters<typeof post>[1]);
  if (!lost) from.tell(result);
  return true;
}

export async function carryAll(...runs: readonly Story[]): Promise<void> {
  for (const run of runs) while (await carryOne(run, runs));
}

/** The same run as a restart has it. */
export function replay(story: Story): Story {
  const again = createStory();
  for (const event of story.events) {
    again.events.push(event);
    evolve(again.run, event);
  }
  again.now = story.now;
  return again;
}

export function inboxOf({ run }: Story, name: string): string[] {
  return (run.tasks.get(taskId(name))?.mailbox.inbox ?? []).map(({ text }) => text);
}
