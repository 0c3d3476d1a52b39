// S35 with the real Codex: nothing of a repository's runs or reaches the model before it is trusted, and after it its servers and
// skills do.

import { expect, it } from 'vitest';
import { plantCanaries, ran, words } from '../scenarios/trust/tools-world.ts';
import { onCodex } from './codex-world.ts';

onCodex('a hostile repository', (begin) => {
  it('real Codex: nothing of it runs or is obeyed before it is trusted [TRUST-1]', async (context) => {
    const { world, prompt, asked } = begin(context);
    plantCanaries(world);
    const ended = await world.sb(['run', prompt([{ run: 'ls' }, { say: 'Done.' }]), '--harness', 'codex']);
    expect(ended.code, ended.stderr).toBe(0);
    expect(ran(world)).toEqual([]);
    const said = JSON.stringify(asked().map(({ body }) => body));
    const found = [words.skill, words.agentsSkill, words.command, 'mcp__canary'].filter((word) => said.includes(word));
    expect(found).toEqual([]);
  });

  it('real Codex: its servers and skills are used once it is trusted, and its hooks are not [TRUST-6]', async (context) => {
    const { world, prompt, asked } = begin(context);
    plantCanaries(world);
    expect((await world.sb(['trust', '--yes'])).code).toBe(0);
    const ended = await world.sb(['run', prompt([{ run: 'ls' }, { say: 'Done.' }]), '--harness', 'codex']);
    expect(ended.code, ended.stderr).toBe(0);
    expect(ran(world)).toEqual(['ran-server']);
    const said = JSON.stringify(asked().map(({ body }) => body));
    expect(['mcp__canary', words.skill, words.agentsSkill].map((word) => said.includes(word))).toEqual([
      true,
      true,
      false,
    ]);
    expect(ended.stderr).toContain('Agents of codex take no hooks or other settings: they work without.');
  });
});
