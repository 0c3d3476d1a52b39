import { expect, it } from 'vitest';
import { reopenClaude } from './reopen.ts';

it('a session of Claude Code is taken up with its own settings, in the directory it was begun in', () => {
  expect(reopenClaude('claude', { session: 's-1', home: '/homes/1', cwd: '/copies/1' })).toEqual({
    argv: ['claude', '--resume', 's-1'],
    env: { CLAUDE_CONFIG_DIR: '/homes/1/claude' },
    cwd: '/copies/1',
  });
});
