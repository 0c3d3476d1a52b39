import { describe, expect, it } from 'vitest';
import { importsNamed, importsOf, withImports } from './imported-text.ts';

describe('imports of an instruction file', () => {
  it.each([
    ['see @docs/style.md.', ['docs/style.md']],
    ['@a.md and @./b.md, @../c.md; @~/d.md', ['a.md', './b.md', '../c.md', '~/d.md']],
    ['ada@example.org `@code.md`', []],
    ['```\n@fenced.md\n```\n@free.md', ['free.md']],
    ['@/etc/passwd', ['/etc/passwd']],
  ])('%j names %j', (text, paths) => {
    expect(importsNamed(text)).toEqual(paths);
  });

  const files: Record<string, string> = {
    'docs/a.md': 'A @b.md',
    'docs/b.md': 'B @a.md @../CLAUDE.md',
    ...Object.fromEntries([1, 2, 3, 4, 5, 6, 7].map((n) => [`deep${n}.md`, `@deep${n + 1}.md`])),
  };
  const read = async (path: string): Promise<string | null> => files[path] ?? null;

  it('are followed from file to file, each once, at most five deep', async () => {
    expect((await importsOf('@docs/a.md', 'CLAUDE.md', read)).map(({ path }) => path)).toEqual([
      'docs/a.md',
      'docs/b.md',
    ]);
    expect(await importsOf('@deep1.md', 'CLAUDE.md', read)).toHaveLength(5);
  });

  it('stand below the text that names them; a missing one is passed over', async () => {
    expect(await withImports('Hi @docs/a.md @none.md', 'CLAUDE.md', read)).toBe(
      'Hi @docs/a.md @none.md\n\nContents of docs/a.md:\n\nA @b.md\n\nContents of docs/b.md:\n\nB @a.md @../CLAUDE.md',
    );
  });
});
