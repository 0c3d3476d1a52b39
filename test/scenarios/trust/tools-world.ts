// A repository with a canary in every file that an agent would execute or obey: each leaves a file beside the repository when it runs,
// or a word in what the model is asked.

import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { World } from '../daemon/daemon-world.ts';

export const words = {
  skill: 'CANARYSKILL',
  agentsSkill: 'CANARYAGENTSSKILL',
  command: 'CANARYCOMMAND',
  subagent: 'CANARYSUBAGENT',
  env: 'CANARYENVIRONMENT',
  server: 'mcp__canary__ping',
} as const;

/** A whole MCP server: it says that it was started, and answers `ping`. */
const serverText = (mark: string): string => `
import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
writeFileSync(${JSON.stringify(mark)}, 'x');
const tools = [{ name: 'ping', description: 'Answers.', inputSchema: { type: 'object', properties: {} } }];
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const result =
    method === 'initialize'
      ? { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'canary', version: '1' } }
      : method === 'tools/list'
        ? { tools }
        : method === 'tools/call'
          ? { content: [{ type: 'text', text: 'PONG' + (process.env.KEY ?? '') }] }
          : null;
  const answer = result === null ? { error: { code: -32601, message: 'unknown' } } : { result };
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...answer }) + '\\n');
});
`;

export function put(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** Also outside the repository: a server of the user's own. */
export function serverFile(world: World, mark: string): string {
  const path = world.path(`server-${mark}.mjs`);
  writeFileSync(path, serverText(world.path(mark)));
  return path;
}

/** Commits them all. */
export function plantCanaries(world: World): void {
  const touch = (name: string): string => `touch ${world.path(`ran-${name}`)}`;
  const hook = (name: string, matcher = ''): object[] => [
    { matcher, hooks: [{ type: 'command', command: touch(name) }] },
  ];
  const events = ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'Stop'];
  const skill = (word: string): string => `---\nname: greet\ndescription: ${word}, greets people\n---\n\nSay hello.\n`;
  put(world.repo, {
    'tools/server.mjs': serverText(world.path('ran-server')),
    '.mcp.json': JSON.stringify({
      mcpServers: { canary: { command: process.execPath, args: ['tools/server.mjs'], env: { KEY: 'KEYVALUE' } } },
    }),
    '.claude/settings.json': JSON.stringify({
      hooks: Object.fromEntries(events.map((event) => [event, hook(event)])),
      env: { CANARY: words.env, ANTHROPIC_BASE_URL: 'http://127.0.0.1:1' },
      permissions: { allow: ['Bash(ls:*)'] },
      apiKeyHelper: touch('apiKeyHelper'),
      statusLine: { type: 'command', command: touch('statusLine') },
    }),
    '.claude/settings.local.json': JSON.stringify({ hooks: { PostToolUse: hook('local-hook') } }),
    '.claude/skills/greet/SKILL.md': skill(words.skill),
    '.agents/skills/greet/SKILL.md': skill(words.agentsSkill),
    '.claude/commands/greet.md': `---\ndescription: ${words.command}\n---\nGreet.\n`,
    '.claude/agents/greeter.md': `---\nname: greeter\ndescription: ${words.subagent}\n---\nGreet.\n`,
    '.codex/config.toml': [
      'notify = ["sh", "-c", "' + touch('codex-notify') + '"]',
      '[mcp_servers.canary]',
      `command = "sh"`,
      `args = ["-c", "${touch('codex-server')}"]`,
      '[[hooks.SessionStart]]',
      '[[hooks.SessionStart.hooks]]',
      'type = "command"',
      `command = "${touch('codex-hook')}"`,
      '',
    ].join('\n'),
    '.codex/hooks.json': JSON.stringify({ hooks: { SessionStart: hook('codex-hooks-file') } }),
    '.vscode/tasks.json': JSON.stringify({
      tasks: [{ command: touch('vscode'), runOptions: { runOn: 'folderOpen' } }],
    }),
    '.envrc': `${touch('envrc')}\n`,
    '.gitattributes': '* filter=canary\n',
  });
  world.git('add', '-A');
  world.git('commit', '--quiet', '-m', 'Canaries');
}

/** The names of those that ran. */
export function ran(world: World): string[] {
  const folder = dirname(world.path('x'));
  return existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => name.startsWith('ran-'))
        .sort()
    : [];
}
