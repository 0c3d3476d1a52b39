// A supervisor to be killed at any moment: starts its launch, follows it from the journalled offset, and commits
// lines and offset in one record. Arguments: module folder, then the task as JSON.
import { appendFileSync, existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [modules, taskJson] = process.argv.slice(2);
const task = JSON.parse(taskJson);
const load = (name) => import(pathToFileURL(join(modules, name)).href);
const { openLaunches } = await load('launch/launches.js');
const { plainConfine, namespaceConfine } = await load('confine.js');
if (task.closeInherited) (await load('inherited.js')).closeInherited();

const confine = task.kind === 'plain' ? plainConfine : namespaceConfine;
const launches = openLaunches({ root: task.root, confine });
const signal = new AbortController().signal;

const committed = existsSync(task.journal) ? readFileSync(task.journal, 'utf8') : '';
// A record torn by the last kill was never committed.
const whole = committed.slice(0, committed.lastIndexOf('\n') + 1);
if (whole.length < committed.length) truncateSync(task.journal, Buffer.byteLength(whole));
const last = whole.trimEnd().split('\n').at(-1);
const offset = last ? JSON.parse(last).end : 0;

process.stdout.write('up\n');
await launches.start(task.spec, signal);
const commit = async (batch) => appendFileSync(task.journal, `${JSON.stringify(batch)}\n`);
const ending = await launches.watch(task.spec.launchId, offset, commit, signal);
writeFileSync(task.done, JSON.stringify(ending));
