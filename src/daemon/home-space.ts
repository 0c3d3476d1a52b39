// What is in the home besides workspaces, projects and results of checks: everything below the home is listed once, with its
// size and a sentence that says what it is for.

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { measure } from '../git/workspace/disk-space.ts';
import type { Workspaces } from '../git/workspace/workspaces.ts';
import type { Space } from '../server/routes/route-context.ts';
import type { SpaceItemView } from '../wire/space-views.ts';

export function homeSpace(home: string, workspaces: Pick<Workspaces, 'inspectSpace' | 'reclaim'>): Space {
  return {
    reclaim: workspaces.reclaim,
    async inspectSpace(signal) {
      const items: SpaceItemView[] = [...(await workspaces.inspectSpace(signal))];
      for (const { kind, name, path, why } of await others(home)) {
        items.push({ kind, name, path, bytes: await measure([path], signal), removable: false, why });
      }
      return items.sort((a, b) => (b.bytes ?? 0) - (a.bytes ?? 0));
    },
  };
}

type Other = Pick<SpaceItemView, 'kind' | 'name' | 'path' | 'why'>;

async function others(home: string): Promise<Other[]> {
  const names = (await namesIn(home)).filter((name) => name !== 'work');
  const work = (await namesIn(join(home, 'work'))).filter((name) => !listedApart.includes(name));
  return [
    ...(await Promise.all(names.map((name) => itemOf(home, name)))),
    ...work.map((name): Other => {
      return { kind: 'other', name: `work/${name}`, path: join(home, 'work', name), why: 'records of workspaces' };
    }),
  ];
}

/** Listed one by one with the workspaces. */
const listedApart = ['workspaces', 'projects', 'archives', 'setups', 'checks'];

const removesThem = '"signalbox rm <run>" removes those of a run';

async function itemOf(home: string, name: string): Promise<Other> {
  const path = join(home, name);
  const item = (kind: Other['kind'], why: string): Other => ({ kind, name, path, why });
  const count = async (one: string, several: string): Promise<string> => {
    const { length } = await namesIn(path);
    return `${length} ${length === 1 ? one : several}`;
  };
  if (name === 'agents') {
    return item('agents', `sessions and caches of ${await count('agent', 'agents')}; ${removesThem}`);
  }
  if (name === 'launches') {
    return item('launches', `transcripts of ${await count('launch', 'launches')}; ${removesThem}`);
  }
  if (name === 'artifacts') return item('artifacts', 'typed results of agents');
  if (name.startsWith('journal.db')) return item('journal', 'the record of everything that happened');
  if (name === 'cache') return item('other', 'compiled code, which is made again; safe to delete');
  return item('other', 'a file of Signalbox itself');
}

function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}
