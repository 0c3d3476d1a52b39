import { expect, it } from 'vitest';
import { reopenClaude } from './reopen.ts';

it('a session of Claude Code is reopened with its own settings, in its directory', () => {
  expect(reopenClaude('claude', { session: 's-1', home: '/homes/1', cwd: '/copies/1' })).toEqual({
    argv: ['claude', '--resume', 's-1'],
    env: { CLAUDE_CONFIG_DIR: '/homes/1/claude' },
    cwd: '/copies/1',
  });
});
