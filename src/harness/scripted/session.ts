// What the scripted agent remembers over its processes: one small file in its home, replaced whole after each step.

import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Session {
  readonly id: string;
  /** The first message: what the script is about. */
  prompt: string | null;
  /** Steps that are done and must not be done again. */
  stepsDone: number;
  /** The script came to its end, or gave up, and said so. */
  scriptOver: boolean;
  /** Messages taken up, by their uuid. */
  readonly seen: string[];
}

export interface SessionStore {
  readonly session: Session;
  save(): void;
}

/** Without `resume`, or where nothing is remembered, a new session. */
export function openSession(home: string, resume: boolean): SessionStore {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const path = join(home, 'session.json');
  const session = (resume ? readSession(path) : null) ?? {
    id: randomUUID(),
    prompt: null,
    stepsDone: 0,
    scriptOver: false,
    seen: [],
  };
  const save = (): void => {
    const temporary = `${path}.tmp`;
    writeFileSync(temporary, JSON.stringify(session), { mode: 0o600 });
    renameSync(temporary, path);
  };
  return { session, save };
}

function readSession(path: string): Session | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Session;
  } catch {
    return null;
  }
}
