// What teams add to the story of spawning agents: whole turns by the names of their tasks, processes that are ended and
// resumed. After each turn all has happened that follows from it.

import { expect } from 'vitest';
import { isInput } from '../../src/model/messages/record-queue.ts';
import { must } from '../../src/std/assert.ts';
import { agentOf, attemptOf, type Called, call, end, heard, named, spawn } from './children-story.ts';
import { settle } from './plan-story.ts';
import { type Story, submitted, task } from './story.ts';

/** The task gets its first process. */
export function begin(story: Story, ...names: readonly string[]): void {
  for (const name of names) {
    story.tell({ type: 'start', taskId: named(story, name).spec.id, host: 'h' });
    story.tell({ type: 'prepared', attemptId: attemptOf(story, name).id, path: '/w', base: 'b0' });
    launchedAgain(story, name);
  }
}

export function launchedAgain(story: Story, name: string): void {
  const { id } = must(attemptOf(story, name).launches.current, `${name} has a launch`);
  story.tell({ type: 'launched', launchId: id, process: null });
}

/** It reads its records and is in a turn; returns the messages in them. */
export function readInput(story: Story, name: string): readonly string[] {
  settle(story);
  const attempt = attemptOf(story, name);
  if (attempt.parking.parked !== null) {
    story.tell({ type: 'goOn', attemptId: attempt.id, host: 'h' });
    launchedAgain(story, name);
  }
  const records = agentOf(story, name).mailbox.records.filter(isInput);
  const messages = records.flatMap(({ body }) => (body.kind === 'messages' ? body.messages : []));
  const { inbox } = named(story, name).mailbox;
  const texts = messages.map((id) => inbox.find((message) => message.id === id)?.text ?? '');
  heard(
    story,
    name,
    records.map(({ id }) => ({ kind: 'delivered', recordId: id }) as const),
  );
  return texts;
}

export function endTurn(story: Story, name: string): void {
  heard(story, name, [{ kind: 'turnEnded', turn: { kind: 'ok', text: `${name} is done`, cut: false } }]);
  settle(story);
}

/** A whole turn. */
export function turn(story: Story, ...names: readonly string[]): void {
  for (const name of names) {
    readInput(story, name);
    endTurn(story, name);
  }
}

/** Time passes until no resting agent has a process. */
export function giveUpProcesses(story: Story): void {
  story.now += 10_000;
  settle(story);
  for (const {
    stop,
    launches: { current: launch },
  } of story.run.live.values()) {
    if (stop?.reason === 'parked' && launch !== null)
      story.tell({ type: 'down', launchId: launch.id, status: 0, turn: null });
  }
  settle(story);
}

/** The process of one that has no more to do ends, and its work is saved, proved and integrates. */
export function finish(story: Story, ...names: readonly string[]): void {
  for (const name of names) {
    end(story, name);
    settle(story);
  }
}

/** The messages that lie in the mailbox of a task. */
export function inboxOf(story: Story, name: string): readonly string[] {
  return named(story, name).mailbox.inbox.map(({ text }) => text);
}

type Item = { title: string; text?: string; needs?: readonly number[] };

export const tasksCall = {
  tool: 'team_tasks',
  team: 'squad',
  add: [],
  done: [],
  giveBack: [],
  from: 0,
  show: null,
} as const;
export const add = (story: Story, by: string, ...items: Item[]): Called =>
  call(story, by, { ...tasksCall, add: items.map((item) => ({ text: '', needs: [], ...item })) });
export const done = (story: Story, by: string, n: number, result = ''): Called =>
  call(story, by, { ...tasksCall, done: [{ n, result }] });
export const giveBack = (story: Story, by: string, n: number): Called =>
  call(story, by, { ...tasksCall, giveBack: [n] });
export const claim = (story: Story, by: string, n: number | null = null): Called =>
  call(story, by, { tool: 'claim_task', team: 'squad', n });
export const write = (story: Story, by: string, to: string, type: string | null = null, text = 'hello'): Called =>
  call(story, by, { tool: 'send_message', to, text, type });
export const remove = (story: Story, by: string, force = false): Called =>
  call(story, by, { tool: 'team_delete', team: 'squad', force });
export const items = (story: Story) => story.run.teams.get('squad')?.items.map(({ state, by }) => [state, by]) ?? [];

/** A lead in its first turn with a team of these members, who have not begun. */
export function led(...members: readonly string[]): Story {
  return ledIn(submitted(task('lead'), task('other')), ...members);
}

/** The same in a run that was submitted with such a task. */
export function ledIn(story: Story, ...members: readonly string[]): Story {
  begin(story, 'lead');
  readInput(story, 'lead');
  expect(call(story, 'lead', { tool: 'team_create', name: 'squad', purpose: 'to build it' }).isError).toBe(false);
  for (const name of members) expect(spawn(story, 'lead', name, { team: 'squad' })).toMatchObject({ isError: false });
  return story;
}

/** The same with members that have had their first turn and rest. */
export function resting(...members: readonly string[]): Story {
  const story = led(...members);
  begin(story, ...members);
  turn(story, ...members);
  return story;
}

/** It gets a message, and is in a turn with it. */
export function takeUpByMessage(story: Story, name: string): void {
  write(story, 'lead', name);
  readInput(story, name);
}
