// What was written to agents: the envelopes in it, and the files that they name.

import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { TaskView } from '../../../src/wire/views.ts';
import { readOr, type World } from '../daemon/daemon-world.ts';

export const sha = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex');

/** Every message that the processes of a task's newest attempt were sent, in order. */
export function toldTo(world: World, { attempt }: TaskView): string[] {
  const launches = attempt?.launches ?? [];
  return launches.flatMap((launch) =>
    readOr(join(world.home, 'launches', launch, 'in'))
      .split('\n')
      .flatMap((line) => {
        const record = line === '' ? {} : (JSON.parse(line) as Sent);
        return record.type === 'user' && typeof record.message?.content === 'string' ? [record.message.content] : [];
      }),
  );
}

interface Sent {
  readonly type?: string;
  readonly message?: { readonly content?: unknown };
}

export interface Notification {
  readonly task: string;
  readonly status: string;
  /** With its envelope. */
  readonly text: string;
  /** The file that it names as the whole. */
  readonly output: string | null;
}

export function notificationsIn(texts: readonly string[]): Notification[] {
  const found = texts.flatMap((text) => text.match(/<task-notification [^]*?<\/task-notification>/g) ?? []);
  return found.map((text) => ({
    task: /task="([^"]*)"/.exec(text)?.[1] ?? '',
    status: /status="([^"]*)"/.exec(text)?.[1] ?? '',
    text,
    output: /^output: (.*)$/m.exec(text)?.[1] ?? null,
  }));
}

/** What a file holds by now, as it is or compressed. */
export function wholeOf(file: string): Buffer {
  return existsSync(file) ? readFileSync(file) : gunzipSync(readFileSync(`${file}.gz`));
}
