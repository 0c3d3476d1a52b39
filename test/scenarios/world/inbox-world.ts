// What a person sees in the inbox of a world.

import { type AskView, inboxView } from '../../../src/wire/ask-views.ts';
import { until } from '../../until.ts';
import type { World } from '../daemon/daemon-world.ts';

/** A permission that an agent asks for. */
export interface Asked {
  readonly id: string;
  readonly runId: string;
  readonly run: string;
  readonly task: string | null;
  readonly taskId: string | null;
  readonly since: number;
  readonly tool: string;
  readonly input: unknown;
}

export async function inboxOf(world: World): Promise<readonly AskView[]> {
  return (await world.client().get('/asks', inboxView)).asks;
}

export async function asksOf(world: World): Promise<readonly Asked[]> {
  return (await inboxOf(world)).flatMap(({ id, runId, run, task, taskId, since, permission }) =>
    permission === null ? [] : [{ id, runId, run, task, taskId, since: since ?? 0, ...permission }],
  );
}

/** A permission that is none of these. */
export function nextAsk(world: World, ...known: readonly Asked[]): Promise<Asked> {
  const fresh = async () => (await asksOf(world)).find(({ id }) => !known.some((each) => each.id === id));
  return until(fresh, { timeoutMs: 30_000, what: 'another question' });
}

/** What is asked about tasks and runs, by agents too, but for permissions and budgets. */
export async function questionsOf(world: World): Promise<readonly AskView[]> {
  return (await inboxOf(world)).filter(({ kind }) => kind !== 'permission' && kind !== 'budget');
}
