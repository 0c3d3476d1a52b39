// S35 with the real Claude Code: nothing of a repository's runs or reaches the model before `signalbox trust`, and after it exactly what
// was shown.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { writeConfiguration } from '../daemon/daemon-world.ts';
import { type Ground, model, onNewestCli, onRealCli } from '../spending/limits-real-cli.ts';
import { plantCanaries, put, ran, serverFile, words } from './tools-world.ts';

const claude = ['--harness', 'claude', '--model', model];
const texts = (asked: Ground['asked']): string => JSON.stringify(asked().map(({ body }) => body));
const acting = [{ run: 'ls; echo "canary is $CANARY"' }, { say: 'Done.' }] as const;

onRealCli('a hostile repository', (begin) => {
  it('real CLI: nothing of it runs or is obeyed before it is trusted [TRUST-1]', async (context) => {
    const { world, prompt, asked } = begin(context);
    plantCanaries(world);
    const ended = await world.sb(['run', prompt(acting), ...claude]);
    expect(ended.code, ended.stderr).toBe(0);
    expect(ran(world)).toEqual([]);
    expect(asked().length).toBeGreaterThan(0);
    const said = texts(asked);
    expect(Object.values(words).filter((word) => said.includes(word))).toEqual([]);
    expect(ended.stderr).toContain(
      'Agents do not get them: you have not trusted them. To look at them: signalbox trust',
    );
  });

  it('real CLI: its servers, hooks, settings and skills are used once it is trusted [TRUST-6]', async (context) => {
    const { world, prompt, asked } = begin(context);
    plantCanaries(world);
    const trusted = await world.sb(['trust', '--yes']);
    expect(trusted.code, trusted.stderr).toBe(0);
    expect(trusted.stdout).toContain(`canary: ${process.execPath} tools/server.mjs (sets KEY)`);
    expect(trusted.stdout).toContain(`PreToolUse: touch ${world.path('ran-PreToolUse')}`);
    expect(trusted.stdout).toContain('agents do not get apiKeyHelper, statusLine');
    expect(trusted.stdout).toContain('no repository may set ANTHROPIC_BASE_URL');
    expect(trusted.stdout).toContain('tools/server.mjs');
    expect(ran(world)).toEqual([]);
    const steps = [{ call: { tool: words.server, input: {} } }, ...acting];
    const ended = await world.sb(['run', prompt(steps), ...claude]);
    expect(ended.code, ended.stderr).toBe(0);
    expect(ran(world)).toEqual([
      'ran-PreToolUse',
      'ran-SessionStart',
      'ran-Stop',
      'ran-UserPromptSubmit',
      'ran-local-hook',
      'ran-server',
    ]);
    const said = texts(asked);
    const given = ['PONGKEYVALUE', words.skill, `canary is ${words.env}`];
    expect(given.filter((word) => !said.includes(word))).toEqual([]);
    expect([words.command, words.subagent, words.agentsSkill].filter((word) => said.includes(word))).toEqual([]);
    const events = await world.sb(['events', '--json']);
    expect(events.stdout).toContain('"servers":["canary"],"skills":["greet"]');
    expect(events.stdout).not.toContain('KEYVALUE');
  });
});

onNewestCli('trust', (begin) => {
  it('real CLI: a change asks again, and what an agent writes changes nothing [TRUST-3] [TRUST-7]', async (context) => {
    const { world, prompt, asked } = begin(context);
    plantCanaries(world);
    await world.sb(['trust', '--yes']);
    expect((await world.sb(['trust', '--check'])).code).toBe(0);
    // A script that a server runs counts too.
    writeFileSync(
      join(world.repo, 'tools/server.mjs'),
      readFileSync(join(world.repo, 'tools/server.mjs'), 'utf8') + ' ',
    );
    const changed = await world.sb(['trust', '--check']);
    expect([changed.code, changed.stderr]).toEqual([3, expect.stringContaining('has changed since you trusted it')]);
    const ended = await world.sb(['run', prompt(acting), ...claude]);
    expect(ended.code, ended.stderr).toBe(0);
    expect(ended.stderr).toContain('they have changed since you trusted them');
    expect(ran(world)).toEqual([]);
    expect(texts(asked).includes(words.skill)).toBe(false);
    const named = await world.sb(['run', 'x', '--mcp', 'canary', ...claude]);
    expect([named.code, named.stderr]).toEqual([2, expect.stringContaining('which is not trusted')]);
    // The agent of one task cannot arm the next.
    world.git('checkout', '--quiet', 'tools/server.mjs');
    const arm = { hooks: { Stop: [{ hooks: [{ type: 'command', command: `touch ${world.path('ran-armed')}` }] }] } };
    const write = { write: { path: '.claude/settings.json', text: JSON.stringify(arm) } };
    const first = prompt([write, { say: 'Armed.' }]);
    const both = await world.sb(['run', first, prompt([{ say: 'Second.' }]), '--needs-chain', ...claude]);
    expect(both.code, both.stderr).toBe(0);
    expect(ran(world)).toContain('ran-server');
    expect(ran(world)).not.toContain('ran-armed');
  });

  it("real CLI: the user's own tools need a line of the configuration and no trust [TRUST-5] [TRUST-8]", async (context) => {
    const { world, prompt, asked } = begin(context);
    const servers = Object.fromEntries(
      ['mine', 'other'].map((name) => [name, { command: process.execPath, args: [serverFile(world, `ran-${name}`)] }]),
    );
    mkdirSync(world.path('.claude'), { recursive: true });
    put(world.path('.'), {
      '.claude.json': JSON.stringify({ mcpServers: servers }),
      '.claude/CLAUDE.md': 'MYOWNWORDS @more.md\n',
      '.claude/more.md': 'MYIMPORTEDWORDS\n',
      '.claude/skills/mine/SKILL.md': '---\nname: mine\ndescription: MYOWNSKILL\n---\nDo it.\n',
      '.claude/settings.json': JSON.stringify({
        hooks: { Stop: [{ hooks: [{ type: 'command', command: `touch ${world.path('ran-user-hook')}` }] }] },
      }),
    });
    const without = await world.sb(['run', prompt([{ say: 'Hi.' }]), ...claude]);
    expect(without.code, without.stderr).toBe(0);
    expect(/MYOWN|MYIMPORTED/.test(texts(asked))).toBe(false);
    expect(ran(world)).toEqual([]);
    writeConfiguration(world.path('.'), 'harness: scripted\nyour-tools: [instructions, skills, mcp]\n');
    const steps = [{ call: { tool: 'mcp__mine__ping', input: {} } }, { say: 'Hi.' }];
    const ended = await world.sb(['run', prompt(steps), '--mcp', 'mine', ...claude]);
    expect(ended.code, ended.stderr).toBe(0);
    const mine = ['MYOWNWORDS', 'MYIMPORTEDWORDS', 'MYOWNSKILL', 'PONG'];
    expect(mine.filter((word) => !texts(asked).includes(word))).toEqual([]);
    expect(ran(world)).toEqual(['ran-mine']);
  });
});
