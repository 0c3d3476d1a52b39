// Runs a built program by compiled code that an earlier run has left: compiling was a third of what a command took. The
// code is kept per part of the program, since each part runs other functions. It is code: only what we alone can have
// written is used. Whatever is wrong with it, the program is compiled from its source as if there were none.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { cachedDataVersionTag } from 'node:v8';
import { Script } from 'node:vm';
import { gunzipSync, gzipSync } from 'node:zlib';
import { writeAtomicSync } from './files.ts';
import { ownDirectorySync, readOwnFile } from './own-directory.ts';

export interface Program {
  /** One function, as the build makes it: its first line names its content. */
  readonly file: string;
  /** Which part of it is to run. */
  readonly part: string;
  /** The directory of compiled code; null: none is used and none is left. */
  readonly cache: string | null;
}

type Built = (require: NodeJS.Require, file: string, load: (url: string) => Promise<unknown>) => void;

/** By then a process that goes on, as a daemon does, has run what is run at its start. */
const saveAfterMs = 3_000;
/** Of one build one for each verb; older builds and other versions of Node leave theirs. */
const entriesMax = 80;
const entryBytesMax = 32 * 2 ** 20;

export function runProgram({ file, part, cache }: Program): void {
  // The build is ASCII throughout, so that it need not be decoded.
  const source = readFileSync(file, 'latin1');
  const entry = cache === null ? null : join(cache, entryName(source, part));
  const cachedData = entry === null ? undefined : readEntry(entry);
  const script = new Script(source, {
    filename: file,
    ...(cachedData === undefined ? {} : { cachedData }),
  });
  if (entry !== null && (cachedData === undefined || script.cachedDataRejected === true)) saveLater(script, entry);
  const run = script.runInThisContext() as Built;
  run(createRequire(file), file, (url) => import(url));
}

/** Whatever the code depends on: V8 checks its own version and flags only, and of the source nothing but its length. */
function entryName(source: string, part: string): string {
  const [, content = 'unknown'] = /^\/\/ ([0-9a-f]+)\n/.exec(source.slice(0, 100)) ?? [];
  const [word] = /^[a-z-]{1,24}$/.exec(part) ?? ['other'];
  const machine = `${process.version}-${process.platform}-${process.arch}-${cachedDataVersionTag().toString(16)}`;
  return `${word}-${content}-${machine}.gz`;
}

/** Packed for its checksum alone: code that is damaged would not be refused by V8, but end the process. */
function readEntry(entry: string): Buffer | undefined {
  try {
    const found = readOwnFile(dirname(entry), entry);
    if (found.kind !== 'read') return undefined;
    // In one piece, where Node would make one of many.
    return gunzipSync(found.bytes, { chunkSize: found.bytes.length + 64, maxOutputLength: entryBytesMax });
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
    writeAtomicSync(entry, gzipSync(script.createCachedData(), { level: 0 }));
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
