import { expect, it } from 'vitest';
import type { AgentTools } from '../../model/core/agent-tools.ts';
import { createCodex } from './codex.ts';

const tools: AgentTools = {
  servers: {
    a: { command: 'a-server', args: ['--x', 'y"z'], env: { TOKEN: '${TOKEN}', MODE: 'fast' } },
    b: { type: 'http', url: 'http://127.0.0.1/', headers: { 'X-Key': 'k' } },
  },
  settings: { hooks: { Stop: [] } },
  skills: [{ path: 'greet/run.sh', data: Buffer.from('echo hi').toString('base64'), executable: true }],
  instructions: { claude: 'Be kind.', codex: 'Be short.' },
  programs: [],
};

it('Codex gets servers by its configuration, skills and instructions as files, and no hooks [TRUST-6] [TRUST-8]', () => {
  const harness = createCodex({ binary: 'codex', model: 'm', env: {} });
  const agent = { agentId: 'agent_1', session: null, resume: false, settings: {}, home: '/homes/1', tools };
  const filesOf = (settings: Record<string, string>) => harness.command({ ...agent, settings }).files ?? [];
  const text = (path: string, settings = {}): string =>
    Buffer.from(filesOf(settings).find((file) => file.path === path)?.text ?? '').toString();
  expect(text('codex/config.toml')).toContain(
    [
      '[mcp_servers."a"]',
      'command = "a-server"',
      'args = ["--x", "y\\"z"]',
      'env = { "MODE" = "fast" }',
      'env_vars = ["TOKEN"]',
      '[mcp_servers."b"]',
      'url = "http://127.0.0.1/"',
      'http_headers = { "X-Key" = "k" }',
    ].join('\n'),
  );
  expect(text('codex/config.toml', { mcp: 'b' })).not.toContain('a-server');
  expect(text('codex/AGENTS.md')).toBe('Be short.');
  expect(filesOf({}).find(({ path }) => path === 'codex/skills/greet/run.sh')).toMatchObject({ executable: true });
  expect(harness.capabilities).toContain('mcp');
  expect(harness.capabilities).not.toContain('hooks');
});
