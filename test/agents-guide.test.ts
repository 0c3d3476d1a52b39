// docs/agents.md names every tool that agents have, and everything that each takes.

import { expect, it } from 'vitest';
import { toolDefinitions } from '../src/model/tool-calls/tool-list.ts';
import { read } from './source-files.ts';

const guide = read('docs/agents.md');
const rows = guide.split('\n').filter((line) => line.startsWith('| `'));

it('the guide to agents names every tool and every argument in its row [CHILD-88]', () => {
  const missing = toolDefinitions.flatMap(({ name, inputSchema }) => {
    const row = rows.find((line) => line.split('|')[1]?.includes(`\`${name}\``));
    if (row === undefined) return [name];
    const given = Object.keys(inputSchema['properties'] as object);
    return given.filter((word) => !row.includes(`\`${word}\``)).map((word) => `${name}.${word}`);
  });
  expect(missing).toEqual([]);
});
