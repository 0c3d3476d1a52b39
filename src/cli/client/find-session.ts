// A session of the user's own, by its id: which agent it is of, its file, and where it worked. Reads only.

import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Fault } from '../../std/fault.ts';
import type { Place } from './context.ts';

export interface FoundSession {
  readonly harness: 'claude' | 'codex';
  readonly session: string;
  readonly path: string;
  /** null = the file does not say. */
  readonly cwd: string | null;
}

/** The word is an id, or its beginning of at least 8 characters. */
export async function findSession({ userEnv }: Place, word: string): Promise<FoundSession> {
  if (!/^[0-9a-f-]{8,36}$/.test(word)) {
    throw new Fault('bad_request', `"${word}" is no id of a session: agents print it, as in 328b1a2c-…`);
  }
  const home = userEnv['HOME'] ?? '/';
  const claude = join(userEnv['CLAUDE_CONFIG_DIR'] ?? join(home, '.claude'), 'projects');
  const codex = join(userEnv['CODEX_HOME'] ?? join(home, '.codex'), 'sessions');
  const found = [
    ...(await matches(claude, new RegExp(`^[^/]+/(${word}[0-9a-f-]*)\\.jsonl$`), 'claude')),
    ...(await matches(codex, new RegExp(`/rollout-[^/]*-(${word}[0-9a-f-]*)\\.jsonl$`), 'codex')),
  ].filter(({ session }) => session.length === 36);
  const [first, second] = found;
  if (first === undefined) {
    throw new Fault(
      'not_found',
      `there is no session "${word}" of Claude Code below ${claude} nor of Codex below ${codex}`,
    );
  }
  if (second !== undefined) {
    throw new Fault(
      'bad_request',
      `"${word}" means several sessions: ${found.map(({ session }) => session).join(', ')}`,
    );
  }
  return { ...first, cwd: await cwdIn(first.path) };
}

async function matches(
  folder: string,
  pattern: RegExp,
  harness: FoundSession['harness'],
): Promise<Omit<FoundSession, 'cwd'>[]> {
  const names = await readdir(folder, { recursive: true }).catch((): string[] => []);
  return names.flatMap((name) => {
    const session = pattern.exec(name)?.[1];
    return session === undefined ? [] : [{ harness, session, path: join(folder, name) }];
  });
}

const headBytes = 200_000;

/** Both agents write it into the first lines. */
async function cwdIn(path: string): Promise<string | null> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    const [, text] = /"cwd":("(?:[^"\\\\]|\\\\.)*")/.exec(buffer.toString('utf8', 0, bytesRead)) ?? [];
    return text === undefined ? null : (JSON.parse(text) as string);
  } finally {
    await file.close();
  }
}
