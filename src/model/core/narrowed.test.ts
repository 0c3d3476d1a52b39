import { expect, it } from 'vitest';
import { task } from '../../../test/model/story.ts';
import { narrowed } from './narrowed.ts';

it.each([
  [undefined, undefined, undefined],
  [undefined, 'a', 'a'],
  ['a,b', undefined, 'a,b'],
  ['a,b', 'b,c', 'b'],
  ['a', 'c', 'none'],
  ['none', 'a', 'none'],
  ['a', 'none', 'none'],
])('a parent with the MCP servers %j whose child asks for %j gives it %j [TRUST-9]', (own, asked, given) => {
  const settings = (mcp: string | undefined): Record<string, string> => (mcp === undefined ? {} : { mcp });
  expect(narrowed(task('a', { settings: settings(own) }), settings(asked))['mcp']).toBe(given);
});
