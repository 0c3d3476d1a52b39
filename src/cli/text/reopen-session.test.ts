import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { reopenCommand } from './reopen-session.ts';

it('the command to resume a session can be pasted into a shell', () => {
  const command = reopenCommand({
    cwd: '/tmp',
    env: { CLAUDE_CONFIG_DIR: "/a b/it's" },
    argv: ['sh', '-c', 'printf "%s|%s|%s" "$PWD" "$CLAUDE_CONFIG_DIR" "$1"', 'sh', '--resume=$(id)'],
  });
  expect(execFileSync('sh', ['-c', command ?? ''], { encoding: 'utf8' })).toBe("/tmp|/a b/it's|--resume=$(id)");
  expect(reopenCommand(null)).toBe(null);
});
