// What a verb does not need it does not load: `ps` and its like start without the packages that plans are read with.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { read, root } from './source-files.ts';

/** Packages that are loaded as soon as this file is. */
function loadedBy(start: string): Set<string> {
  const [seen, packages, open] = [new Set<string>(), new Set<string>(), [start]];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    for (const [, specifier = ''] of read(file).matchAll(
      /^(?:import|export) (?!type )[^;]*?from ['"]([^'"]+)['"];/gm,
    )) {
      if (specifier.startsWith('.')) open.push(new URL(specifier, `file:///${file}`).pathname.slice(1));
      else packages.add(specifier);
    }
  }
  return packages;
}

it('only verbs on plans and roles load what reads them [PLAN-17]', () => {
  expect([...loadedBy('src/cli/plan-check.ts')]).toEqual(expect.arrayContaining(['yaml', 'js-yaml']));
  for (const file of ['src/main.ts', 'src/cli/ps.ts', 'src/cli/run.ts', 'src/cli/complete.ts', 'src/cli/status.ts']) {
    const loaded = loadedBy(file);
    expect(
      [...loaded].filter((name) => /^(?:yaml|js-yaml|ajv)/.test(name)),
      file,
    ).toEqual([]);
  }
});

it('nor does the build load it for other verbs, whose files hold many of them [PLAN-17]', () => {
  const names = readdirSync(join(root, 'dist')).filter((name) => /^main-.*\.js$/.test(name));
  const readers = names.filter((name) => [...loadedBy(`dist/${name}`)].some((each) => /^(?:yaml|ajv)/.test(each)));
  expect(readers).toContain('main-plan-check.js');
  for (const verb of ['ps', 'run', 'status', 'up', 'down', 'events', 'inbox', 'logs', 'stop', 'send', 'daemon']) {
    expect(names).toContain(`main-${verb}.js`);
    expect(readers).not.toContain(`main-${verb}.js`);
  }
});
