// The pages of the project name files of the repository and sections of each other. Each of them must exist: files move, and a
// page that names the old place sends its reader nowhere.
import { existsSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { read, root, trackedFiles } from './source-files.ts';

describe('reading pages', () => {
  it('paths in code spans and targets of links are found', () => {
    const page =
      'See `src/a.ts` and `src/b/`, [c](d.md#e), [f](https://x.y/z.md), `npm test`.\n```sh\ncat src/c.ts\n```\n';
    expect(pathsOf(page)).toEqual(['src/a.ts', 'src/b/']);
    expect(linksOf(page)).toEqual(['d.md#e']);
  });

  it('patterns and placeholders are no paths', () => {
    expect(pathsOf('`src/**/*.test.ts`, `src/<folder>/x.ts`, `refs/signalbox/…`, `src/a.ts:12`')).toEqual(['src/a.ts']);
  });

  it('headings have the anchors that GitHub gives them', () => {
    expect(anchorsOf('# One, two\n\n## `plan check`: errors\n```\n# none\n```\n')).toEqual([
      'one-two',
      'plan-check-errors',
    ]);
  });
});

describe('pages', () => {
  const pages = trackedFiles().filter((file) => /^(README|CONTRIBUTING|CHANGELOG)\.md$|^docs\/.*\.md$/.test(file));

  it.each(pages)('%s names only files that exist', (page) => {
    const missing = pathsOf(read(page)).filter((path) => !existsSync(join(root, path)));
    expect(missing).toEqual([]);
  });

  it.each(pages)('%s links only to pages and sections that exist', (page) => {
    const missing = linksOf(read(page)).filter((link) => {
      const [file = '', anchor] = link.split('#');
      const target = file === '' ? page : posix.normalize(posix.join(dirname(page), file));
      if (!existsSync(join(root, target))) return true;
      return anchor !== undefined && !anchorsOf(read(target)).includes(anchor);
    });
    expect(missing).toEqual([]);
  });
});

/** What code spans outside of blocks name as a path of this repository. */
function pathsOf(page: string): string[] {
  const spans = [...withoutBlocks(page).matchAll(/`([^`\n]+)`/g)].map((match) => match[1] ?? '');
  return spans
    .map((span) => span.replace(/:\d+$/, ''))
    .filter((span) => /^(src|test|docs|scripts|bench|examples|\.ci)\/[\w./-]*$/.test(span));
}

function linksOf(page: string): string[] {
  const targets = [...withoutBlocks(page).matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1] ?? '');
  return targets.filter((target) => !/^[a-z]+:/.test(target));
}

function anchorsOf(page: string): string[] {
  const headings = [...withoutBlocks(page).matchAll(/^#+ (.+)$/gm)].map((match) => match[1] ?? '');
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}

function withoutBlocks(page: string): string {
  return page.replace(/^```[^]*?^```$/gm, '');
}
