#!/usr/bin/env node
// The entry file. It loads the program, from compiled code that an earlier run has left if possible, and little else: every
// command waits for what is done here.

import type { Worker } from 'node:worker_threads';
import { cacheOf } from './daemon/home.ts';
import { builtFile } from './std/built-file.ts';
import { loadProgram } from './std/code-cache.ts';
import { startThread } from './store/sqlite/journal-thread.ts';

const [, , verb = ''] = process.argv;
// Most of a daemon's heap is garbage: by default Node lets it grow to three times what is in use. Set before anything is
// compiled: V8 accepts compiled code only under the flags that it was made with.
if (verb === 'daemon') process.getBuiltinModule('node:v8').setFlagsFromString('--heap-growing-percent=40');
const flags = [...process.execArgv, process.env['NODE_OPTIONS'] ?? ''];
// A daemon waits longest for its journal's thread, so the thread starts while the program is loaded.
const thread = verb === 'daemon' ? ahead() : undefined;
const program = { file: builtFile('app.cjs'), part: verb, flags, cache: cacheOf(process.env) };
void loadProgram<typeof import('./app.ts')>(program).start(thread);

/** If it cannot be started, the journal reports that when it is opened. */
function ahead(): Worker | undefined {
  try {
    return startThread();
  } catch {
    return undefined;
  }
}
