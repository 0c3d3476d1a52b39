#!/usr/bin/env node
// The file that is run. It loads the program, compiled where an earlier run has left compiled code, and little else:
// whatever is done here is waited for by every command.

import type { Worker } from 'node:worker_threads';
import { cacheOf } from './daemon/home.ts';
import { builtFile } from './std/built-file.ts';
import { loadProgram } from './std/code-cache.ts';
import { startThread } from './store/sqlite/journal-thread.ts';

const [, , verb = ''] = process.argv;
// Of what the daemon holds most is garbage: Node by itself lets that grow to three times what is in use. Set before
// anything is compiled: V8 takes compiled code only under the flags that it was made with.
if (verb === 'daemon') process.getBuiltinModule('node:v8').setFlagsFromString('--heap-growing-percent=40');
const flags = [...process.execArgv, process.env['NODE_OPTIONS'] ?? ''];
// A daemon waits for its journal's thread longer than for all else, so the thread starts while the program is loaded.
const thread = verb === 'daemon' ? ahead() : undefined;
const program = { file: builtFile('app.cjs'), part: verb, flags, cache: cacheOf(process.env) };
void loadProgram<typeof import('./app.ts')>(program).start(thread);

/** Where it cannot be started, the journal says so when it is opened. */
function ahead(): Worker | undefined {
  try {
    return startThread();
  } catch {
    return undefined;
  }
}
