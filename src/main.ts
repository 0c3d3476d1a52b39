#!/usr/bin/env node
// The file that is run. It loads the program, compiled where an earlier run has left compiled code, and nothing else:
// whatever is done here is waited for by every command.

import { setFlagsFromString } from 'node:v8';
import { cacheOf } from './home.ts';
import { builtFile } from './std/built-file.ts';
import { runProgram } from './std/code-cache.ts';

const [, , verb = ''] = process.argv;
// Of what the daemon holds most is garbage: Node by itself lets that grow to three times what is in use. Set before
// anything is compiled: V8 takes compiled code only under the flags that it was made with.
if (verb === 'daemon') setFlagsFromString('--heap-growing-percent=40');
runProgram({ file: builtFile('app.cjs'), part: verb, cache: cacheOf(process.env) });
