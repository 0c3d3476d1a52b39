// What a verb does not need it does not load: `ps` and its like start without the packages that plans are read with.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { read, root } from './source-files.ts';

const known = new Map<string, readonly string[]>();

/** What a file imports at its start. Those of the build are large, and many import the same. */
function importsOf(file: string): readonly string[] {
  const found = known.get(file);
  if (found !== undefined) return found;
  const all = read(file).matchAll(/^(?:import|export) (?!type )[^;]*?from ['"]([^'"]+)['"];/gm);
  const specifiers = [...all].map(([, specifier = '']) => specifier);
  known.set(file, specifiers);
  return specifiers;
}

/** Files and packages that are loaded as soon as this file is. */
function loadedBy(start: string): { readonly files: Set<string>; readonly packages: Set<string> } {
  const [seen, packages, open] = [new Set<string>(), new Set<string>(), [start]];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    for (const specifier of importsOf(file)) {
      if (specifier.startsWith('.')) open.push(new URL(specifier, `file:///${file}`).pathname.slice(1));
      else packages.add(specifier);
    }
  }
  return { files: seen, packages };
}

it('only verbs on plans and roles load what reads them [PLAN-17]', () => {
  expect([...loadedBy('src/cli/plan-check.ts').packages]).toEqual(expect.arrayContaining(['yaml', 'js-yaml']));
  for (const file of ['src/main.ts', 'src/cli/ps.ts', 'src/cli/run.ts', 'src/cli/complete.ts', 'src/cli/status.ts']) {
    const { packages: loaded } = loadedBy(file);
    expect(
      [...loaded].filter((name) => /^(?:yaml|js-yaml|ajv)/.test(name)),
      file,
    ).toEqual([]);
  }
});

it('nor does the build, whose files hold many verbs each; and none of them loads the daemon [PLAN-17]', () => {
  const names = readdirSync(join(root, 'dist')).filter((name) => /^main-.*\.js$/.test(name));
  const holding = (source: string): string[] => {
    // The bundler has marked where a source begins in both of these ways.
    const marks = [`\n//#region ${source}\n`, `\n// ${source}\n`];
    const held = names.filter((name) => marks.some((mark) => read(`dist/${name}`).includes(mark)));
    return names.filter((name) => held.some((file) => loadedBy(`dist/${name}`).files.has(`dist/${file}`)));
  };
  const [plans, daemon] = [holding('src/plan/read-plan.ts'), holding('src/daemon.ts')];
  expect(plans).toContain('main-plan-check.js');
  expect(plans.filter((name) => daemon.includes(name))).toEqual([]);
  for (const verb of ['ps', 'run', 'status', 'up', 'down', 'events', 'inbox', 'logs', 'stop', 'send']) {
    expect(names).toContain(`main-${verb}.js`);
    expect([...plans, ...daemon]).not.toContain(`main-${verb}.js`);
  }
  for (const name of names) expect([...loadedBy(`dist/${name}`).packages], name).not.toContain('ajv/dist/2020.js');
});
