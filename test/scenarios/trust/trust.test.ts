// `signalbox trust` on the command line: exit codes, and what it keeps.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { shareDaemon } from '../world/shared-world.ts';

const open = shareDaemon();

it('trust tells by its exit code whether there is something to decide [TRUST-10]', async () => {
  const world = open();
  const trust = async (...words: string[]) => {
    const { code, stdout, stderr } = await world.sb(['trust', ...words]);
    return { code, text: stdout + stderr };
  };
  expect(await trust()).toMatchObject({ code: 0, text: expect.stringContaining('there is nothing to trust') });
  writeFileSync(join(world.repo, '.mcp.json'), JSON.stringify({ mcpServers: { db: { command: 'db-server' } } }));
  expect(await trust()).toMatchObject({ code: 3, text: expect.stringContaining('Nobody can be asked here') });
  expect(await trust('--check')).toMatchObject({ code: 3, text: expect.stringContaining('db: db-server') });
  expect(await trust('--yes')).toMatchObject({ code: 0, text: expect.stringContaining('Trusted, as it is now') });
  expect(await trust('--check')).toMatchObject({ code: 0 });
  expect((await trust('--list')).text).toContain(world.repo);
  const json = JSON.parse((await trust('--json')).text) as object;
  expect(json).toMatchObject({ state: 'trusted', servers: { db: { command: 'db-server' } } });
  expect(await trust('--revoke')).toMatchObject({ code: 0 });
  expect(await trust('--check')).toMatchObject({ code: 3 });
  const outside = await world.sb(['trust'], { cwd: '/' });
  expect([outside.code, outside.stderr]).toEqual([2, expect.stringContaining('this is not a git repository')]);
});

it('a task that names an unknown server, or whose agent takes none, is refused [TRUST-8]', async () => {
  const world = open();
  const unknown = await world.sb(['run', 'x', '--script', world.script([]), '--mcp', 'db']);
  expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('there is no MCP server "db" here')]);
  writeFileSync(join(world.repo, '.mcp.json'), JSON.stringify({ mcpServers: { db: { command: 'db-server' } } }));
  await world.sb(['trust', '--yes']);
  const refused = await world.sb(['run', 'x', '--script', world.script([]), '--mcp', 'db']);
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('has no setting "mcp"')]);
});
