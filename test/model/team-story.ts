// What teams add to the story of a crew: whole turns by the names of their tasks, processes that are given up and taken up
// again. After each turn all has happened that follows from it.

import { isMail } from '../../src/model/letters/mail.ts';
import { must } from '../../src/std/assert.ts';
import { agentOf, attemptOf, end, heard, named } from './crew-story.ts';
import { settle } from './plan-story.ts';
import type { Story } from './story.ts';

/** The task gets its first process. */
export function begin(story: Story, ...names: readonly string[]): void {
  for (const name of names) {
    story.tell({ type: 'start', taskId: named(story, name).spec.id, host: 'h' });
    story.tell({ type: 'prepared', attemptId: attemptOf(story, name).id, path: '/w', base: 'b0' });
    launchedAgain(story, name);
  }
}

export function launchedAgain(story: Story, name: string): void {
  const { id } = must(attemptOf(story, name).launch, `${name} has a launch`);
  story.tell({ type: 'launched', launchId: id, process: null });
}

/** It takes up what it was told and is in a turn; gives what that was in letters. */
export function takeUp(story: Story, name: string): readonly string[] {
  settle(story);
  const attempt = attemptOf(story, name);
  if (attempt.parked !== null) {
    story.tell({ type: 'goOn', attemptId: attempt.id, host: 'h' });
    launchedAgain(story, name);
  }
  const mail = agentOf(story, name).mail.filter(isMail);
  const letters = mail.flatMap(({ body }) => (body.kind === 'mail' ? body.letters : []));
  const { inbox } = named(story, name);
  const texts = letters.map((id) => inbox.find((letter) => letter.id === id)?.text ?? '');
  heard(
    story,
    name,
    mail.map(({ id }) => ({ kind: 'delivered', messageId: id }) as const),
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
    takeUp(story, name);
    endTurn(story, name);
  }
}

/** Time passes until nobody who rests has a process. */
export function giveUpProcesses(story: Story): void {
  story.now += 10_000;
  settle(story);
  for (const { stop, launch } of story.run.live.values()) {
    if (stop?.reason === 'parked' && launch !== null)
      story.tell({ type: 'down', launchId: launch.id, status: 0, turn: null });
  }
  settle(story);
}

/** The process of one that has no more to do ends, and its work is saved, proved and lands. */
export function finish(story: Story, ...names: readonly string[]): void {
  for (const name of names) {
    end(story, name);
    settle(story);
  }
}

/** The letters that lie in the mailbox of a task. */
export function inboxOf(story: Story, name: string): readonly string[] {
  return named(story, name).inbox.map(({ text }) => text);
}
