// What keys do in `ps --watch`: move between rows, open an agent, interrupt it, stop it, answer it, leave. A stop has to be
// confirmed.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { plainLine } from '../../std/plain-text.ts';
import { accepted, type TaskView } from '../../wire/views.ts';
import type { Context } from '../client/context.ts';
import type { Key } from './key-input.ts';

export interface WatchKeys {
  press(key: Key): void;
  /** The selected task; null while there is none. */
  selected(): string | null;
  /** The text of the last line. */
  footer(): string;
  /** The rows as they are shown now. */
  see(tasks: readonly TaskView[]): void;
  /** A command started by a key is running. */
  isBusy(): boolean;
  /** Resolves when no command started by a key is running. */
  drained(): Promise<void>;
}

export interface WatchPort {
  /** Runs a command of ours with the terminal, then continues. */
  open(args: readonly string[]): Promise<void>;
  stop(taskId: string): Promise<string>;
  interrupt(taskId: string): Promise<string>;
  redraw(): void;
  leave(key: 'quit' | 'interrupt'): void;
}

interface Question {
  readonly words: string;
  readonly answers: Readonly<Record<string, () => Promise<string>>>;
}

const help = '↑↓ move  enter open  i interrupt  s stop  a answer  q leave (runs continue)';

export function createWatchKeys(port: WatchPort): WatchKeys {
  let tasks: readonly TaskView[] = [];
  let selectedId: string | null = null;
  let question: Question | null = null;
  let told = '';
  let underway: Promise<void> = Promise.resolve();
  let busy = false;
  const current = (): TaskView | null => tasks.find(({ id }) => id === selectedId) ?? null;
  const run = (work: () => Promise<string>): void => {
    busy = true;
    underway = work()
      .catch((error: unknown) => (error as Error).message)
      .then((words) => {
        told = plainLine(words);
        busy = false;
        port.redraw();
      });
  };
  const move = (by: number): void => {
    const at = tasks.findIndex(({ id }) => id === selectedId);
    selectedId = tasks[Math.min(Math.max(0, at + by), tasks.length - 1)]?.id ?? null;
  };
  const actions: Readonly<Record<string, (task: TaskView) => void>> = {
    enter: (task) => run(async () => port.open([task.outcome === null ? 'attach' : 'review', task.id]).then(() => '')),
    s: (task) => {
      if (task.outcome !== null) told = `${task.name} has ended`;
      else question = { words: `stop ${task.name}? y/n`, answers: { y: () => port.stop(task.id) } };
    },
    i: (task) => run(() => port.interrupt(task.id)),
    a: (task) => {
      const ask = task.asks.find(({ state }) => state === 'open');
      const answered = (verb: string) => async () => port.open([verb, ask?.id ?? '']).then(() => '');
      if (ask === undefined) told = `${task.name} asks nothing`;
      // The row may show a part only: a person decides on all of it.
      else if (ask.kind === 'question' || ask.permission !== null) run(answered('answer'));
      else question = { words: `${ask.message} y/n`, answers: { y: answered('approve'), n: answered('reject') } };
    },
  };
  return {
    press(key) {
      if (key === 'interrupt') return port.leave('interrupt');
      if (busy) return;
      told = '';
      if (question !== null) {
        const answer = Object.hasOwn(question.answers, key) ? question.answers[key] : undefined;
        question = null;
        if (answer !== undefined) run(answer);
      } else if (key === 'quit') return port.leave('quit');
      else if (key === 'up' || key === 'down') move(key === 'up' ? -1 : 1);
      else {
        const task = current();
        const action = Object.hasOwn(actions, key) ? actions[key] : undefined;
        if (task !== null) action?.(task);
      }
      port.redraw();
    },
    selected: () => selectedId,
    footer: () => plainLine(question?.words ?? '') || told || help,
    see(shown) {
      tasks = shown;
      if (current() === null) selectedId = shown[0]?.id ?? null;
    },
    isBusy: () => busy,
    drained: () => underway,
  };
}

/** Gives the terminal to another command of ours until it ends. */
export async function runCommand({ place, lent }: Context, args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [lent.mainFile, ...args], { env: place.userEnv, stdio: 'inherit' });
  await once(child, 'close');
}

export async function stopTask({ client }: Context, taskId: string): Promise<string> {
  await client.post(`/tasks/${taskId}/stop`, {}, accepted);
  return 'stopping: the agent is asked first and killed after ten seconds; its work is kept';
}

export async function interruptTask({ client }: Context, taskId: string): Promise<string> {
  await client.post(`/tasks/${taskId}/interrupt`, {}, accepted);
  return 'interrupted: the agent waits for your message (enter, then type it)';
}
