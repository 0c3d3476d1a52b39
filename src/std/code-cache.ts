// Loads a built program by compiled code that an earlier run has left: compiling was a third of what a command took. The
// code is kept per part of the program, since each part runs other functions. It is code: only what we alone can have
// written is used. Whatever is wrong with it, the program is compiled from its source as if there were none.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';
import { writeAtomicSync } from './files.ts';
import { ownDirectorySync, readOwnFile } from './own-directory.ts';

export interface Program {
  /** One function, as the build makes it: its first line names its content. */
  readonly file: string;
  /** Which part of it is to run. */
  readonly part: string;
  /** Options of Node and V8 that this process was started with, or has set. */
  readonly flags: readonly string[];
  /** The directory of compiled code; null: none is used and none is left. */
  readonly cache: string | null;
}

type Built = (require: NodeJS.Require, exports: object, file: string, load: (url: string) => Promise<unknown>) => void;

/** By then a process that goes on, as a daemon does, has run what is run at its start. */
const saveAfterMs = 3_000;
/** Of one build one for each verb; older builds and other versions of Node leave theirs. */
const entriesMax = 80;

/** Returns what the program exports. */
export function loadProgram<Exports extends object>({ file, part, flags, cache }: Program): Exports {
  // The build is ASCII throughout, so that it need not be decoded.
  const source = readFileSync(file, 'latin1');
  const entry = cache === null ? null : join(cache, entryName(source, part, flags));
  const cachedData = entry === null ? undefined : readEntry(entry);
  const script = new Script(source, {
    filename: file,
    ...(cachedData === undefined ? {} : { cachedData }),
  });
  if (entry !== null && (cachedData === undefined || script.cachedDataRejected === true)) saveLater(script, entry);
  const run = script.runInThisContext() as Built;
  const exported = {};
  run(createRequire(file), exported, file, (url) => import(url));
  return exported as Exports;
}

/** Whatever the code depends on: V8 checks its own version and flags only, and of the source nothing but its length. */
function entryName(source: string, part: string, flags: readonly string[]): string {
  const [, content = 'unknown'] = /^\/\/ ([0-9a-f]+)\n/.exec(source.slice(0, 100)) ?? [];
  const [word] = /^[a-z-]{1,24}$/.exec(part) ?? ['other'];
  return `${word}-${content}-${process.version}-${process.platform}-${process.arch}-${hashOf(flags.join(' '))}`;
}

/** FNV-1a: two sets of flags that share one would only refuse each other's code. Node's own are dear to load. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(16);
}

/**
 * Code that is damaged is not refused by V8 but ends the process. So it is written twice and the halves are compared, which
 * is faster than any checksum that Node 20 has.
 */
function readEntry(entry: string): Buffer | undefined {
  try {
    const found = readOwnFile(dirname(entry), entry);
    if (found.kind !== 'read') return undefined;
    const half = found.bytes.length / 2;
    const [code, again] = [found.bytes.subarray(0, half), found.bytes.subarray(half)];
    return half > 0 && code.equals(again) ? code : undefined;
  } catch {
    return undefined;
  }
}

/** When most of what this part needs has been compiled: what has not run yet is compiled in each process anew. */
function saveLater(script: Script, entry: string): void {
  const onExit = (code: number): void => {
    // What fails has not come far.
    if (code === 0) save(script, entry);
  };
  process.once('exit', onExit);
  setTimeout(() => {
    process.off('exit', onExit);
    save(script, entry);
  }, saveAfterMs).unref();
}

/** Where it cannot be kept (a full disk, a home that is read-only) nothing is lost but time. */
function save(script: Script, entry: string): void {
  const cache = dirname(entry);
  try {
    // Not what it lies in: a command that needs no home, as `help`, makes none.
    if (!existsSync(cache)) mkdirSync(cache, { mode: 0o700 });
    ownDirectorySync(cache);
    const code = script.createCachedData();
    writeAtomicSync(entry, Buffer.concat([code, code]));
    sweep(cache);
  } catch {
    // Tried again by the next process.
  }
}

/** The oldest go. One that is still in use is made again. */
function sweep(cache: string): void {
  const names = readdirSync(cache);
  if (names.length <= entriesMax) return;
  const byAge = names
    .map((name) => ({ path: join(cache, name), at: statSync(join(cache, name)).mtimeMs }))
    .sort((a, b) => b.at - a.at);
  for (const { path } of byAge.slice(entriesMax)) rmSync(path, { force: true });
}
