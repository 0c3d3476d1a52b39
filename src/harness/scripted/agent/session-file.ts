// What the scripted agent remembers over its processes: one small file in its home, replaced whole after each step.

import { appendFileSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { recordFile } from './usage-ledger.ts';

export interface Session {
  readonly id: string;
  /** It is the agent's first, or second, or so on. */
  readonly n: number;
  /** The first message: what the script is about. */
  prompt: string | null;
  /** Steps that are done and must not be done again. */
  stepsDone: number;
  /** How often the API refused in the step that is under way. */
  refused: number;
  /** How often the tool was called in the step that is under way. */
  called: number;
  /** Where it keeps what it is told, and of how many messages one kills it; null = nowhere. */
  keeps: { readonly path: string; readonly dieOf?: number } | null;
  /** Messages that it came to keep. */
  heard: number;
  /** The script came to its end, or was broken off, and the agent said so. */
  scriptOver: boolean;
  /** The structured output that the next result carries, wrapped: it may be any value. */
  output: { readonly value: unknown } | null;
  /** Messages taken up, by their uuid. */
  readonly seen: string[];
}

export interface SessionStore {
  readonly session: Session;
  save(): void;
  /** The session is lost: nothing is kept from here on, and no process can resume it. */
  forget(): void;
}

const fileName = 'session.json';
const fresh = { n: 1, refused: 0, called: 0, keeps: null, heard: 0 };

export function newSession(home: string, id: string): SessionStore {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  rmSync(join(home, recordFile), { force: true });
  return storeOf(home, {
    id,
    prompt: null,
    stepsDone: 0,
    scriptOver: false,
    output: null,
    seen: [],
    ...fresh,
    n: countSession(home),
  });
}

/** Of a file of its own, which outlives a session that is lost. */
function countSession(home: string): number {
  const path = join(home, 'sessions');
  appendFileSync(path, '+', { mode: 0o600 });
  return statSync(path).size;
}

/** null = there is no such session. */
export function resumeSession(home: string, id: string | null): SessionStore | null {
  let session: Session;
  try {
    const kept = JSON.parse(readFileSync(join(home, fileName), 'utf8')) as Omit<Session, keyof typeof fresh>;
    session = { ...fresh, ...kept };
  } catch {
    return null;
  }
  return id === null || id === session.id ? storeOf(home, session) : null;
}

function storeOf(home: string, session: Session): SessionStore {
  const path = join(home, fileName);
  let forgotten = false;
  return {
    session,
    save() {
      if (forgotten) return;
      const temporary = `${path}.tmp`;
      writeFileSync(temporary, JSON.stringify(session), { mode: 0o600 });
      renameSync(temporary, path);
    },
    forget() {
      forgotten = true;
      rmSync(path, { force: true });
    },
  };
}
