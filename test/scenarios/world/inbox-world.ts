// What a person sees in the inbox of a world.

import { type InboxView, inboxView } from '../../../src/wire/ask-views.ts';
import { until } from '../../until.ts';
import type { World } from '../daemon/daemon-world.ts';

export type Asked = InboxView['asks'][number];

export async function asksOf(world: World): Promise<readonly Asked[]> {
  return (await world.client().get('/inbox', inboxView)).asks;
}

/** A question that is none of these. */
export function nextAsk(world: World, ...known: readonly Asked[]): Promise<Asked> {
  const fresh = async () => (await asksOf(world)).find(({ id }) => !known.some((each) => each.id === id));
  return until(fresh, { timeoutMs: 30_000, what: 'another question' });
}

export type Question = InboxView['questions'][number];

/** Questions about tasks, those of agents among them. */
export async function questionsOf(world: World): Promise<readonly Question[]> {
  return (await world.client().get('/inbox', inboxView)).questions;
}
