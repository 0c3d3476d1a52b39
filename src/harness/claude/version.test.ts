import { expect, it } from 'vitest';
import { judgeClaudeVersion } from './version.ts';

it('a version is tested, untested, too old or unknown', () => {
  expect(judgeClaudeVersion('2.1.197 (Claude Code)')).toEqual({ kind: 'tested', version: '2.1.197' });
  expect(judgeClaudeVersion('2.1.326 (Claude Code)').kind).toBe('tested');
  for (const text of ['2.1.198', '2.1.1000 (Claude Code)', '2.10.0', '3.0.0']) {
    expect(judgeClaudeVersion(text).kind).toBe('untested');
  }
  for (const text of ['2.1.196', '2.0.500', '1.0.128 (Claude Code)'])
    expect(judgeClaudeVersion(text).kind).toBe('tooOld');
  expect(judgeClaudeVersion('hello').kind).toBe('unknown');
});
