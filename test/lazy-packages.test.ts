// What a verb does not need it does not load: `ps` and its like start without the packages that plans are read with.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
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
  expect([...loadedBy('src/cli/verbs/home/plan-check.ts').packages]).toContain('yaml');
  for (const file of [
    'src/app.ts',
    'src/cli/verbs/view/ps.ts',
    'src/cli/run/run.ts',
    'src/cli/verbs/home/complete.ts',
    'src/cli/verbs/view/status.ts',
  ]) {
    const { packages: loaded } = loadedBy(file);
    expect(
      [...loaded].filter((name) => /^(?:yaml|ajv)/.test(name)),
      file,
    ).toEqual([]);
  }
});

/** The modules of the build, by their sources, of which anything was run by this command. */
function runBy(...args: string[]): readonly string[] {
  const dir = mkdtempSync(join(tmpdir(), 'signalbox-lazy-'));
  try {
    const env = {
      PATH: process.env['PATH'],
      SIGNALBOX_HOME: join(dir, 'home'),
      NODE_V8_COVERAGE: join(dir, 'coverage'),
    };
    spawnSync(process.execPath, [join(root, 'dist/main.cjs'), ...args], { cwd: dir, env });
    const [report = ''] = readdirSync(join(dir, 'coverage'));
    const { result } = JSON.parse(readFileSync(join(dir, 'coverage', report), 'utf8')) as Coverage;
    const app = result.find(({ url }) => url.endsWith('/dist/app.cjs'));
    const starts = (app?.functions ?? []).flatMap(({ ranges: [all] }) => (all?.count ? [all.startOffset] : []));
    // The bundler has marked where a source begins in both of these ways.
    const modules = [...read('dist/app.cjs').matchAll(/^\/\/(?:#region)? ((?:src|node_modules)\/\S+)$/gm)];
    return modules
      .filter(({ index }, at) => starts.some((start) => start > index && start < (modules[at + 1]?.index ?? Infinity)))
      .map(([, source = '']) => source);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly { readonly ranges: readonly { startOffset: number; count: number }[] }[];
  }[];
}

it('nor does the build, where all verbs and the daemon are one file [PLAN-17]', () => {
  const foreign =
    /^(?:src\/(?:plan|daemon\/daemon\.ts|engine|git|store|harness\/stream-json)|node_modules\/(?:yaml|zod|string-width))/;
  for (const args of [['status'], ['complete', 'signalbox', 's']]) {
    const modules = runBy(...args);
    expect(modules).toContainEqual(expect.stringMatching(new RegExp(`^src/cli/verbs/\\w+/${args[0]}\\.ts$`)));
    expect(modules.filter((name) => foreign.test(name))).toEqual([]);
  }
  expect(runBy('plan', 'check', 'none.plan.yaml')).toContain('src/cli/verbs/home/plan-check.ts');
});

it('modules of Node and packages are loaded where they are used [PLAN-17]', () => {
  const eager = [...read('dist/app.cjs').matchAll(/^\t*(?:let|const|var) .* = require\("([^"]+)"\);$/gm)];
  expect(
    eager
      .map(([, name]) => name)
      .filter((name) => !/^(?:node:)?(?:fs|path|events|buffer|url|util|module|process)$/.test(name ?? '')),
  ).toEqual([]);
});
