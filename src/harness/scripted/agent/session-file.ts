// What the scripted agent keeps over its processes: one small file in its home, replaced whole after each step.

import { appendFileSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { recordFile } from './usage-ledger.ts';

export interface Session {
  readonly id: string;
  /** The number of the agent's session, from 1. */
  readonly n: number;
  /** The first message. */
  prompt: string | null;
  /** Finished steps, which must not be repeated. */
  stepsDone: number;
  /** How often the API refused in the present step. */
  refused: number;
  /** How often the tool was called in the present step. */
  called: number;
  /** The file in which it keeps its input, and the message that kills it; null = none. */
  keeps: { readonly path: string; readonly dieOf?: number } | null;
  /** How many messages it has kept. */
  heard: number;
  /** The script has ended, or was interrupted, and the agent reported that. */
  scriptOver: boolean;
  /** The structured output for the next result, wrapped: it may be any value. */
  output: { readonly value: unknown } | null;
  /** Messages that were read, by their uuid. */
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

/** Counted in a file of its own, which outlives a lost session. */
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
