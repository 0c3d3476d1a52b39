// The repositories that the examples work on: small programs with a dependency, so that their commands need what they install.

import { root } from '../../source-files.ts';
import type { Registry } from '../daemon/npm-registry.ts';

export type Files = Readonly<Record<string, string>>;

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
/** No network request: the sample holds everything. */
const npmrc = 'audit=false\nfund=false\nupdate-notifier=false\nfetch-retries=0\n';

/** An npm package with its lock file and packages of its own in `folder`, which have to be installed before it works. */
function npmSample(about: object, packages: Readonly<Record<string, Files>>, folder: 'vendor' | 'packages'): Files {
  const names = Object.keys(packages);
  const listed = Object.fromEntries(names.map((name) => [name, `file:vendor/${name}`]));
  const own = folder === 'packages' ? { workspaces: ['packages/*'] } : { dependencies: listed };
  const manifest = { name: 'sample', version: '1.0.0', type: 'module', ...own, ...about };
  const entries = names.flatMap((name) => [
    [`node_modules/${name}`, { resolved: `${folder}/${name}`, link: true }],
    [`${folder}/${name}`, JSON.parse(packages[name]?.['package.json'] ?? '{}')],
  ]);
  const files = names.flatMap((name) =>
    Object.entries(packages[name] ?? {}).map(([path, text]) => [`${folder}/${name}/${path}`, text]),
  );
  return { ...npmFiles(manifest, Object.fromEntries(entries)), ...(Object.fromEntries(files) as Files) };
}

function npmFiles(manifest: { name: string; version: string }, packages: object, more = ''): Files {
  const lock = { name: manifest.name, version: manifest.version, lockfileVersion: 3, requires: true };
  return {
    '.npmrc': npmrc + more,
    '.gitignore': 'node_modules\nleft-over\n',
    'package.json': json(manifest),
    'package-lock.json': json({ ...lock, packages: { '': manifest, ...packages } }),
  };
}

const keys: Files = {
  'package.json': json({ name: 'keys', version: '1.0.0', type: 'module', exports: './index.js' }),
  'index.js': "export const keyOf = (...parts) => parts.join('/');\n",
};
const tested = { scripts: { test: 'node --test' } };
const setup = '#!/bin/sh\nset -e\nnpm ci\n';

const cache = `import { keyOf } from 'keys';
const kept = new Map();
// Answers are made once for each user and path.
export function answer(user, path, make) {
  const key = keyOf(path);
  if (!kept.has(key)) kept.set(key, make());
  return kept.get(key);
}
`;

const module = (name: string): Files => ({
  'package.json': json({ name, version: '1.0.0', type: 'module', exports: './src/index.js', ...tested }),
  'src/index.js': 'export {};\n',
});
const tsc = `'${process.execPath}' '${root}/node_modules/typescript/bin/tsc' --noEmit --lib es5`;
const modular = { test: 'node --test', typecheck: `${tsc} packages/*/src/types.ts`, e2e: 'node e2e/archive.js' };

/** The real one, which the sample installs like any package. */
const vitest: Files = {
  'package.json': json({ name: 'vitest', version: '1.0.0', type: 'module', bin: 'vitest.mjs' }),
  'vitest.mjs': `#!/usr/bin/env node\nimport '${root}/node_modules/vitest/vitest.mjs';\n`,
};
const jestTest = `test('is called', () => {
  const call = jest.fn();
  call();
  expect(call).toHaveBeenCalledTimes(1);
});
`;

const leftOver = `import { strictEqual } from 'node:assert';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import pad from 'left-pad';

strictEqual(pad('x', 2), ' x');
strictEqual(existsSync('left-over'), false);
writeFileSync('left-over', '');
`;

export const samples: Readonly<Record<string, (registry: Registry) => Files>> = {
  'bug-hunt': () => ({ ...npmSample(tested, { keys }, 'vendor'), 'src/cache.js': cache, '.signalbox/setup': setup }),
  'endpoint-audit': () => ({
    'src/server.js': `route('GET', '/projects', owner, list);
route('DELETE', '/projects', remove);
route('GET', '/export', owner, dump);
`,
  }),
  'feature-by-module': () =>
    npmSample({ scripts: modular }, { store: module('store'), api: module('api'), web: module('web') }, 'packages'),
  'for-and-against': () => ({ 'src/login.js': 'const session = 1;\nexport { session };\n' }),
  'jest-to-vitest': () => ({
    ...npmSample(tested, { keys }, 'vendor'),
    ...Object.fromEntries(Object.entries(vitest).map(([path, text]) => [`vendor/vitest/${path}`, text])),
    ...Object.fromEntries(['cart', 'login', 'money', 'search'].map((name) => [`src/${name}.test.ts`, jestTest])),
  }),
  'led-change': () => ({
    ...npmSample(tested, { keys }, 'vendor'),
    'src/list.js': "import { keyOf } from 'keys';\nexport const list = [keyOf('a'), 'b', 'c'];\n",
  }),
  nightly: (registry) => {
    const dependencies = { 'left-pad': '^1.1.0' };
    const manifest = { name: 'sample', version: '1.0.0', type: 'module', ...tested, dependencies };
    const installed = { 'node_modules/left-pad': registry.locked('1.1.0') };
    const files = npmFiles(manifest, installed, `registry=${registry.url}\n`);
    return { ...files, 'test/empty.test.js': leftOver };
  },
};
