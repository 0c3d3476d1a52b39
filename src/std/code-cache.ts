// Loads a built program from compiled code that an earlier run has left: compiling was a third of a command's time. The code is
// kept per part of the program, since each part runs other functions. Only code that nobody else can have written is used. If
// anything is wrong with it, the program is compiled from its source.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';
import { writeAtomicSync } from './files.ts';
import { ownDirectorySync, readOwnFile } from './own-directory.ts';

export interface Program {
  /** One function, as the build makes it: its first line names its content. */
  readonly file: string;
  /** The part of it that will run. */
  readonly part: string;
  /** The options of Node and V8 in this process. */
  readonly flags: readonly string[];
  /** The directory of compiled code; null: none is used or written. */
  readonly cache: string | null;
}

type Built = (require: NodeJS.Require, exports: object, file: string, load: (url: string) => Promise<unknown>) => void;

/** By then a long-running process, such as a daemon, has run its start code. */
const saveAfterMs = 3_000;
/** One for each verb of a build; older builds and other versions of Node leave theirs. */
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

/** Everything that the code depends on: V8 checks only its own version and flags, and of the source only its length. */
function entryName(source: string, part: string, flags: readonly string[]): string {
  const [, content = 'unknown'] = /^\/\/ ([0-9a-f]+)\n/.exec(source.slice(0, 100)) ?? [];
  const [word] = /^[a-z-]{1,24}$/.exec(part) ?? ['other'];
  return `${word}-${content}-${process.version}-${process.platform}-${process.arch}-${hashOf(flags.join(' '))}`;
}

/** FNV-1a: a collision of two sets of flags would only cause a recompilation. Node's own hashes are slow to load. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash >>> 0).toString(16);
}

/**
 * V8 does not refuse damaged code but crashes. So it is written twice and the halves are compared, which is faster than any
 * checksum in Node 20.
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

/** After most of this part has been compiled: functions that have not run yet are compiled again in each process. */
function saveLater(script: Script, entry: string): void {
  const onExit = (code: number): void => {
    // A failed command has not run much of its code.
    if (code === 0) save(script, entry);
  };
  process.once('exit', onExit);
  setTimeout(() => {
    process.off('exit', onExit);
    save(script, entry);
  }, saveAfterMs).unref();
}

/** If it cannot be stored (a full disk, a read-only home), only time is lost. */
function save(script: Script, entry: string): void {
  const cache = dirname(entry);
  try {
    // Not its parent: a command that needs no home, such as `help`, creates none.
    if (!existsSync(cache)) mkdirSync(cache, { mode: 0o700 });
    ownDirectorySync(cache);
    const code = script.createCachedData();
    writeAtomicSync(entry, Buffer.concat([code, code]));
    sweep(cache);
  } catch {
    // The next process tries again.
  }
}

/** Removes the oldest. One that is still in use is made again. */
function sweep(cache: string): void {
  const names = readdirSync(cache);
  if (names.length <= entriesMax) return;
  const byAge = names
    .map((name) => ({ path: join(cache, name), at: statSync(join(cache, name)).mtimeMs }))
    .sort((a, b) => b.at - a.at);
  for (const { path } of byAge.slice(entriesMax)) rmSync(path, { force: true });
}
