import { expect, it } from 'vitest';
import type { RunEvent } from '../../model/core/events.ts';
import { attemptsIn } from './landed-attempts.ts';

const at = 1;
const integrated = (attemptId: string) => ({ type: 'integration.succeeded', at, attemptId }) as unknown as Told;
const asked = (...tasks: string[]) =>
  ({ type: 'landing.asked', at, n: 1, ...(tasks.length > 0 && { tasks }) }) as unknown as Told;
const ended = (kind: string) => ({ type: 'landing.ended', at, n: 1, outcome: { kind } }) as unknown as Told;
type Told = Extract<RunEvent, { type: 'integration.succeeded' | 'landing.asked' | 'landing.ended' }>;

it('what was integrated before a landing has landed with it, and of a named task only its own [WS-44]', () => {
  const [a, b, c] = ['attempt_a-1', 'attempt_b-2', 'attempt_c-1'] as const;
  const some = [integrated(a), integrated(b), asked('task_b'), ended('landed'), integrated(c)];
  expect([...attemptsIn(some)]).toEqual([b]);
  expect([...attemptsIn([...some, asked(), ended('conflict')])]).toEqual([b]);
  expect([...attemptsIn([...some, asked(), ended('landed')])]).toEqual([b, a, c]);
});
