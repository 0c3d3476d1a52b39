// Pages long text with the pager of the user's git.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Context } from '../client/context.ts';
import { userGit } from '../client/user-git.ts';

export interface Page {
  /** false: the pager was closed. */
  print(text: string): Promise<boolean>;
  close(): Promise<void>;
}

export async function openPage({ place, terminal }: Context): Promise<Page> {
  const command = (await userGit(place, ['var', 'GIT_PAGER'])).stdout.trim();
  if (command === '' || command === 'cat') {
    return { print: async (text) => terminal.print(text).then(() => true), close: async () => undefined };
  }
  // The user's own setting is a shell command.
  const child = spawn('sh', ['-c', command], {
    env: { LESS: 'FRX', LV: '-c', ...place.userEnv },
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  // Leave Ctrl-C to the pager.
  const ignore = (): void => undefined;
  process.on('SIGINT', ignore);
  let open = true;
  const closed = once(child, 'close').then(
    () => undefined,
    () => undefined,
  );
  void closed.then(() => {
    open = false;
  });
  child.stdin.on('error', () => {
    open = false;
  });
  return {
    async print(text) {
      if (open && !child.stdin.write(text)) await Promise.race([once(child.stdin, 'drain').catch(() => null), closed]);
      return open;
    },
    async close() {
      child.stdin.end();
      await closed;
      process.off('SIGINT', ignore);
    },
  };
}
