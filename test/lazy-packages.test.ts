// What a verb does not need it does not load: `ps` and its like start without the packages that plans are read with.
import { expect, it } from 'vitest';
import { read } from './source-files.ts';

/** Packages that are loaded as soon as this file is. */
function loadedBy(start: string): Set<string> {
  const [seen, packages, open] = [new Set<string>(), new Set<string>(), [start]];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    for (const [, specifier = ''] of read(file).matchAll(/^(?:import|export) (?!type )[^;]*?from '([^']+)';/gm)) {
      if (specifier.startsWith('.')) open.push(new URL(specifier, `file:///${file}`).pathname.slice(1));
      else packages.add(specifier);
    }
  }
  return packages;
}

it('only verbs on plans and roles load what reads them [PLAN-17]', () => {
  expect([...loadedBy('src/cli/plan-check.ts')]).toEqual(
    expect.arrayContaining(['yaml', 'js-yaml', 'ajv/dist/2020.js']),
  );
  for (const file of ['src/main.ts', 'src/cli/ps.ts', 'src/cli/run.ts', 'src/cli/complete.ts', 'src/cli/status.ts']) {
    const loaded = loadedBy(file);
    expect(
      [...loaded].filter((name) => /^(?:yaml|js-yaml|ajv)/.test(name)),
      file,
    ).toEqual([]);
  }
});
