import { describe, expect, it } from 'vitest';
import type { AgentTools } from '../../model/core/agent-tools.ts';
import type { AgentContext } from '../../ports/harness.ts';
import { createClaude } from './claude.ts';

const harness = createClaude({ binary: 'claude', model: 'm', env: {} });
const agent: AgentContext = { agentId: 'agent_1', session: null, resume: false, settings: {}, home: '/homes/1' };
const tools: AgentTools = {
  servers: { a: { command: 'a-server', env: { TOKEN: 'secret' } }, b: { type: 'http', url: 'http://127.0.0.1/' } },
  settings: { hooks: { Stop: [] } },
  skills: [{ path: 'greet/SKILL.md', data: Buffer.from('Say hello.').toString('base64'), executable: false }],
  instructions: { claude: 'Be kind.', codex: 'Be short.' },
  programs: ['/opt/a-server'],
};
const textOf = (files: readonly { path: string; text: string | Uint8Array }[] | undefined, path: string) =>
  Buffer.from(files?.find((file) => file.path === path)?.text ?? '').toString();

describe('tools for Claude Code', () => {
  it("are files of the agent's own directory; nothing of the repository's is read [TRUST-6]", () => {
    const { argv, files, reads } = harness.command({ ...agent, tools });
    expect(argv[argv.indexOf('--setting-sources') + 1]).toBe('user');
    expect(argv).toContain('--strict-mcp-config');
    expect(argv).toContain('/homes/1/mcp-servers.json');
    expect(argv.join(' ')).not.toContain('secret');
    expect(JSON.parse(textOf(files, 'mcp-servers.json'))).toEqual({ mcpServers: tools.servers });
    expect(JSON.parse(textOf(files, 'claude/settings.json'))).toEqual(tools.settings);
    expect(textOf(files, 'claude/skills/greet/SKILL.md')).toBe('Say hello.');
    expect(textOf(files, 'instructions.md')).toBe('Be kind.');
    expect(reads).toEqual(['/opt/a-server']);
  });

  it('are those servers that the task chose [TRUST-8]', () => {
    const of = (mcp: string) => harness.command({ ...agent, tools, settings: { mcp } });
    expect(Object.keys(JSON.parse(textOf(of('b,gone').files, 'mcp-servers.json')).mcpServers)).toEqual(['b']);
    expect(of('none').argv.join(' ')).not.toContain('mcp-servers.json');
  });

  it('change nothing where there are none [HAR-7]', () => {
    const { argv, files } = harness.command(agent);
    expect(argv[argv.indexOf('--setting-sources') + 1]).toBe('');
    expect(files).toEqual([]);
  });
});
