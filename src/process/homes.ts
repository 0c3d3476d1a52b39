// Agents' homes: a directory each, for its owner only, that outlives the agent's processes. What a harness wants in it is
// written whole or not at all; what the agent keeps in it is read and moved, and never changed.

import { existsSync } from 'node:fs';
import { mkdir, realpath, rename } from 'node:fs/promises';
import { dirname, join, normalize, sep } from 'node:path';
import type { HomePort } from '../ports/home-port.ts';
import { assert } from '../std/assert.ts';
import { diskFault, writeAtomic } from '../std/files.ts';
import { namesIn, readLines, readTail } from './home-tail.ts';

export function openHomes(root: string): HomePort {
  const path = (agentId: string): string => below(root, agentId);
  return {
    path,
    async prepare(agentId, files) {
      const home = path(agentId);
      try {
        await mkdir(home, { recursive: true, mode: 0o700 });
        for (const file of files) {
          const target = below(home, file.path);
          await mkdir(dirname(target), { recursive: true, mode: 0o700 });
          await writeAtomic(target, file.text);
        }
      } catch (error) {
        throw diskFault(error, home);
      }
    },
    lines: (agentId, file) => readLines(below(path(agentId), file)),
    tail: (agentId, file, offset) => readTail(below(path(agentId), file), offset),
    files: (agentId, folder) => namesIn(below(path(agentId), folder)),
    async move(agentId, from, to) {
      const home = path(agentId);
      const [source, target] = [below(home, from), below(home, to)];
      if (existsSync(target) || !existsSync(source)) return;
      try {
        await mkdir(dirname(target), { recursive: true, mode: 0o700 });
        if ((await leadsOut(home, source)) || (await leadsOut(home, target))) return;
        await rename(source, target);
      } catch (error) {
        throw diskFault(error, home);
      }
    },
  };
}

/** The agent can make links of its directories. */
async function leadsOut(home: string, file: string): Promise<boolean> {
  return !(await realpath(dirname(file))).startsWith((await realpath(home)) + sep);
}

/** A path below `base`, whatever the name says. */
function below(base: string, name: string): string {
  const target = normalize(join(base, name));
  assert(target.startsWith(base + sep), `${name} leads out of ${base}`);
  return target;
}
