// Tool calls in plain words.

import { expect, it } from 'vitest';
import { callWords } from './call-words.ts';

const verbs = { Bash: '', Read: 'read', TodoWrite: 'update its to-do list' };

it('a call is described by its command, path or pattern', () => {
  expect(callWords('Bash', { command: 'npm test', description: 'Run tests' }, verbs)).toBe('npm test');
  expect(callWords('shell', { command: ['cargo', 'test'] })).toBe('shell: cargo test');
  expect(callWords('Read', { file_path: 'src/main.ts' }, verbs)).toBe('read src/main.ts');
  expect(callWords('mcp__signalbox__spawn_agent', { name: 'scout', prompt: 'Look' })).toBe(
    'signalbox spawn_agent: scout',
  );
  expect(callWords('TodoWrite', { todos: [1] }, verbs)).toBe('update its to-do list');
  expect(callWords('Odd', { todos: [1] }, verbs)).toBe('Odd: {"todos":[1]}');
  expect(callWords('Wait', {})).toBe('Wait');
  expect(callWords('constructor', null)).toBe('constructor');
});

it('a call is described in one bounded line that shows control characters', () => {
  expect(callWords('Bash', { command: 'a\n\n  b\u001b[2J\u202e' }, verbs)).toBe('a ⏎ b<U+001B>[2J<U+202E>');
  expect(callWords('Bash', { command: 'x'.repeat(1_000_000) }, verbs)).toHaveLength(200);
});
