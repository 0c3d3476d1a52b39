// Sessions that cannot be adopted are refused with a sentence, and start nothing.

import { mkdirSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { shareDaemon } from '../world/shared-world.ts';

const open = shareDaemon();
const id = '328b1a2c-1111-4222-8333-444455556666';

it('a session that is not there, is no id, or worked in no repository is refused [ADOPT-3]', async () => {
  const world = open();
  const env = { HOME: world.path('person'), XDG_CONFIG_HOME: world.path('person/.config') };
  const adopt = async (word: string) => {
    const { code, stderr } = await world.sb(['adopt', word], { env });
    return [code, stderr];
  };
  expect(await adopt('my work')).toEqual([2, expect.stringContaining('is no id of a session')]);
  expect(await adopt(id)).toEqual([2, expect.stringContaining('there is no session')]);
  mkdirSync(world.path('person/.claude/projects/-nowhere'), { recursive: true });
  const line = JSON.stringify({ type: 'user', cwd: '/', sessionId: id });
  writeFileSync(world.path(`person/.claude/projects/-nowhere/${id}.jsonl`), `${line}\n`);
  expect(await adopt(id.slice(0, 8))).toEqual([
    2,
    expect.stringContaining('the session worked in /, which is in no git'),
  ]);
  const codex = 'aaaab1a2-1111-4222-8333-444455556666';
  mkdirSync(world.path('person/.codex/sessions/2026/11/18'), { recursive: true });
  const head = JSON.stringify({ type: 'session_meta', payload: { id: codex, cwd: world.repo } });
  writeFileSync(
    world.path(`person/.codex/sessions/2026/11/18/rollout-2026-11-18T10-00-00-${codex}.jsonl`),
    `${head}\n`,
  );
  expect(await adopt(codex)).toEqual([2, expect.stringContaining('a session of "codex" cannot be adopted yet')]);
  expect(await world.list()).toEqual([]);
});
