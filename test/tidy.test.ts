// The house rules that no compiler checks. The linter enforces some of them as well; both stand, so that
// neither can silently stop. How long a function may be is left to the linter's own parser
// (max-lines-per-function): TypeScript 7 has no stable parser to call, and counting braces is guessing.
// What is checked here is that the linter's rule is still there.
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importsOf } from './imports.ts';
import { filesBelow, isTest, read, trackedFiles } from './source-files.ts';
import { titlesOf } from './spec-ids.ts';

/** Which folders of src each folder may import, besides itself. */
const mayImport: Record<string, readonly string[]> = {
  std: [],
  model: ['std'],
  ports: ['model', 'std'],
  wire: ['model', 'std'],
  plan: ['model', 'std', 'wire'],
  configuration: ['model', 'plan', 'std'],
  store: ['model', 'ports', 'std'],
  process: ['ports', 'std'],
  sandbox: ['process', 'std'],
  git: ['ports', 'process', 'std'],
  harness: ['model', 'ports', 'std'],
  engine: ['git', 'harness', 'model', 'ports', 'process', 'sandbox', 'std', 'store'],
  audit: ['engine', 'git', 'model', 'ports', 'std', 'store'],
  server: ['engine', 'model', 'ports', 'std', 'store', 'wire'],
  credentials: ['harness', 'model', 'process', 'std', 'wire'],
  doctor: ['credentials', 'harness', 'model', 'ports', 'process', 'sandbox', 'std', 'store', 'wire'],
  cli: ['configuration', 'doctor', 'plan', 'std', 'wire'],
  daemon: [
    'audit',
    'configuration',
    'credentials',
    'doctor',
    'engine',
    'git',
    'harness',
    'model',
    'ports',
    'process',
    'sandbox',
    'server',
    'std',
    'store',
    'wire',
  ],
};

/** Programs that are started by path rather than imported. */
const entryPoints: readonly string[] = [
  'src/app.ts',
  'src/store/sqlite/worker.ts',
  'src/harness/scripted/agent/scripted-agent.ts',
  'src/signalbox.ts',
];

/** Implementations of a seam for tests and the simulator: they pass its conformance suite and ship with it. */
const forTests: readonly string[] = ['src/store/memory/memory-journal.ts'];

/**
 * Words of our own that were given up for the trade's (docs/GLOSSARY.md). They are looked for in sources, pages, roles and examples, and in
 * the titles of tests, also as a part of a name in camel case.
 */
const retiredWords: readonly { readonly word: RegExp; readonly say: string; readonly but?: RegExp }[] = [
  { word: /\bletters?\b/i, say: 'message', but: /\b(capital|small|upper|lower|first|of the alphabet|digits?)\b/i },
  { word: /\bmail\b/i, say: 'messages' },
  { word: /\bcrews?\b/i, say: 'children' },
  { word: /\bdesks?\b/i, say: 'tool calls' },
  { word: /\bundertakings?\b/i, say: 'running effects' },
  { word: /\bmisfits?\b/i, say: 'conflict' },
  { word: /\b(whither|whence|hither|thither)\b/i, say: 'where' },
  { word: /\bneighbou?r(s|ing|hood)?\b/i, say: 'other run' },
  { word: /\bmend(s|ed|ing)?\b/i, say: 'fix' },
  { word: /\b(un)?settl(e|es|ed|ing)\b/i, say: 'end, book or drain', but: /\b(all Settled|Settled Result)\b/ },
  {
    word: /\bdeliver(s|ing|ies)?\b|\bdelivery (branch|of a run)\b/i,
    say: 'land',
    but: /\b(messages?|records?|agents?)\b/i,
  },
  { word: /\bstirrings?\b/i, say: 'activity' },
  { word: /\bsightings?\b/i, say: 'observation' },
  { word: /\boddit(y|ies)\b/i, say: 'unsupported content' },
];

/** Names of files that a newcomer could not guess. */
const retiredNames: readonly string[] = (
  'worth whither ground moment newer seed oddities mending keeper parts serving holding ' +
  'waits stuck news filling stirrings sighting leaning kin misfit giving upwards desk'
).split(' ');

/** They tell of the words themselves, or of what was. */
const mayNameRetiredWords: readonly string[] = [
  'CHANGELOG.md',
  'docs/GLOSSARY.md',
  'docs/decisions/042-terms-and-folders.md',
  'docs/decisions/044-spec-reworded.md',
];

const linesMax = 500;
const linesUsual = 200;

const sources = filesBelow('src');
const code = [...sources, ...['test', 'bench', 'scripts', 'web'].flatMap(filesBelow)].filter(
  (file) => /\.(ts|tsx|mjs|js)$/.test(file) && !file.includes('/fixtures/'),
);
const typescript = sources.filter((file) => file.endsWith('.ts'));
const shipped = typescript.filter((file) => !isTest(file));

describe('layers', () => {
  it('an import against the direction is seen', () => {
    const text =
      "import type {\n  A,\n} from '../engine/a.ts';\nexport * from './b.ts';\nawait import('../../main.ts');";
    expect(importsOf('src/model/x/y.ts', text)).toEqual(['src/model/engine/a.ts', 'src/model/x/b.ts', 'src/main.ts']);
    expect(forbidden('src/model/x.ts', 'src/engine/a.ts')).toBe(true);
    expect(forbidden('src/engine/x.ts', 'src/model/a.ts')).toBe(false);
    expect(forbidden('src/cli/x.ts', 'src/main.ts')).toBe(true);
    expect(forbidden('src/store/x.ts', 'test/source-files.ts')).toBe(true);
    expect(forbidden('web/x.ts', 'src/engine/a.ts')).toBe(true);
  });

  it('every folder of src stands in the table', () => {
    const folders = new Set(typescript.map(layerOf).filter((layer) => layer !== ''));
    expect([...folders].filter((folder) => !(folder in mayImport))).toEqual([]);
  });

  it('imports flow one way', () => {
    const files = code.filter((file) => /^(src|web)\//.test(file));
    const wrong = files.flatMap((file) =>
      importsOf(file, read(file))
        .filter((target) => forbidden(file, target))
        .map((target) => `${file} imports ${target}`),
    );
    expect(wrong).toEqual([]);
  });
});

describe('sizes', () => {
  it(`no file is longer than ${linesMax} lines`, () => {
    expect(code.filter((file) => linesOf(file) > linesMax)).toEqual([]);
  });

  it('the number of long files only shrinks', () => {
    const { sourceFilesOver200Lines: allowed } = JSON.parse(read('test/tidy.ratchet.json')) as Record<string, number>;
    const long = shipped.filter((file) => linesOf(file) > linesUsual);
    const advice =
      long.length > (allowed ?? 0)
        ? `split one of these, or argue for raising test/tidy.ratchet.json: ${long.join(', ')}`
        : `good: lower test/tidy.ratchet.json to ${long.length}`;
    expect(long.length, advice).toBe(allowed);
  });

  it('the linter still limits the length of functions', () => {
    const rules = read('.oxlintrc.json');
    expect(rules).toMatch(/"max-lines-per-function":\s*\[\s*"error",\s*\{\s*"max": 70,/);
  });
});

describe('dead files', () => {
  it.runIf(sources.includes('src/main.ts'))('every source is reached from main or a listed program', () => {
    const reached = reachableFrom(['src/main.ts', ...entryPoints, ...forTests]);
    expect(shipped.filter((file) => !reached.has(file))).toEqual([]);
  });

  it('every listed program exists and is named by a source', () => {
    expect(entryPoints.filter((file) => !sources.includes(file))).toEqual([]);
    expect(entryPoints.filter((file) => !isNamed(basename(file, '.ts'), file))).toEqual([]);
  });

  it('every asset is named by a source', () => {
    const assets = sources.filter((file) => !file.endsWith('.ts') && !file.includes('/fixtures/'));
    expect(assets.filter((file) => !isNamed(basename(file), file))).toEqual([]);
  });

  it('every test file belongs to a project', () => {
    const ours = /^(src\/.+|test\/[^/]+|test\/(model|engine|agents|conformance|sim|scenarios|security)\/.+)\.test\.ts$/;
    expect(trackedFiles().filter((file) => /\.(test|spec)\.[a-z]+$/.test(file) && !ours.test(file))).toEqual([]);
  });
});

describe('names', () => {
  it('files are kebab-case', () => {
    expect(code.filter((file) => !/^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+)+$/.test(basename(file)))).toEqual([]);
  });

  it('no folder or file is named for being useful', () => {
    const vague = /(^|\/)(utils?|helpers?)\/|(^|\/)base\.[^/]*$|[/-](managers?|helpers?|utils?|services?)\.[^/]*$/;
    expect(code.filter((file) => vague.test(file))).toEqual([]);
  });

  it('every decision has a number of its own', () => {
    const numbers = trackedFiles().flatMap((file) => /^docs\/decisions\/(\d+)-/.exec(file)?.[1] ?? []);
    expect(numbers.length).toBeGreaterThan(0);
    expect(numbers.filter((number, at) => numbers.indexOf(number) !== at)).toEqual([]);
  });

  it('there are no barrels', () => {
    expect(code.filter((file) => /^index\.[a-z]+$/.test(basename(file)) && !file.startsWith('web/'))).toEqual([]);
  });

  it('nothing is left for later', () => {
    const later = new RegExp(
      `\\b(${['TO', 'FIX', 'XX'].map((word, at) => word + ['DO', 'ME', 'X'][at]).join('|')})\\b`,
    );
    expect(code.filter((file) => later.test(read(file)))).toEqual([]);
  });

  it('no mark of an unfinished merge is left', () => {
    const texts = trackedFiles().filter((file) => /\.(ts|mjs|md|json|sh|yaml|yml)$/.test(file));
    expect(texts.filter((file) => /^(<{7} |>{7} |={7}$)/m.test(read(file)))).toEqual([]);
  });

  it('no test is switched off or runs alone', () => {
    const off = /\b(it|test|describe|suite)(\.\w+)*\.(only|skip|todo|fails)\b/;
    expect(code.filter((file) => off.test(read(file)))).toEqual([]);
  });

  it('every source says what it owns', () => {
    expect(shipped.filter((file) => !/^(#!.*\n)?\s*(\/\/|\/\*)/.test(read(file)))).toEqual([]);
  });
});

describe('retired words', () => {
  it('are found in sentences and in names', () => {
    expect(retiredIn('// Mends it, and the letters of its crew.')).toEqual(['letters', 'crew', 'Mends']);
    expect(retiredIn('const runUnsettled = neighbourOf(x);')).toEqual(['neighbour', 'Unsettled']);
    expect(retiredIn('Small letters and recommended settings; await Promise.allSettled(x);')).toEqual([]);
  });

  const pages = trackedFiles().filter((file) =>
    /^(README|CONTRIBUTING)\.md$|^(docs|examples)\/.*\.(md|ya?ml)$/.test(file),
  );
  const textOf = (file: string): readonly string[] => (isTest(file) ? titlesOf(read(file)) : read(file).split('\n'));

  it('are in no source, page, example or title of a test', () => {
    const files = [...sources, ...filesBelow('test').filter(isTest), ...pages].filter(
      (file) => /\.(ts|md|ya?ml|sh)$/.test(file) && !file.includes('/fixtures/') && !mayNameRetiredWords.includes(file),
    );
    const found = files.flatMap((file) =>
      textOf(file).flatMap((line) => retiredIn(line).map((word) => `${file}: ${word}: ${line.trim()}`)),
    );
    expect(found).toEqual([]);
  });

  it('name no file', () => {
    expect(code.filter((file) => retiredNames.some((name) => basename(file).split('.')[0] === name))).toEqual([]);
  });
});

describe('origins', () => {
  const folderOfOne = /(?<![\w.*})$-])\/((work|root)\/|home\/[a-z])/;
  const packageHost = /\bregistry\.[a-z0-9.-]*\b(com|dev|internal|io|local|net|org)\b/;

  it('the patterns find what they are for', () => {
    expect(`cd /${'work'}/main`).toMatch(folderOfOne);
    expect(`/${'home'}/ann/src`).toMatch(folderOfOne);
    expect(`'/${'root'}/.npmrc'`).toMatch(folderOfOne);
    expect('src/work/a.ts, $HOME/work/').not.toMatch(folderOfOne);
    expect(`https://${'registry'}.example.org/x`).toMatch(packageHost);
    expect('registry.agents.map(f)').not.toMatch(packageHost);
  });

  it('no file names a folder of one machine or a package host', () => {
    const texts = trackedFiles().filter((file) => !read(file).includes('\0'));
    const wrong = texts.filter((file) => folderOfOne.test(read(file)) || packageHost.test(read(file)));
    expect(wrong).toEqual([]);
  });

  it('the lock file names no host to fetch from', () => {
    expect(read('package-lock.json')).not.toMatch(/"resolved": "(https?|git)/);
  });

  it('the lock file holds the packages of every platform', () => {
    // npm leaves out those its mirror lacks, and `npm ci` then refuses the whole file.
    const { packages } = JSON.parse(read('package-lock.json')) as LockFile;
    const wanted = Object.values(packages).flatMap((entry) => Object.keys(entry.optionalDependencies ?? {}));
    expect(wanted.filter((name) => !(`node_modules/${name}` in packages))).toEqual([]);
  });
});

interface LockFile {
  packages: Record<string, { optionalDependencies?: Record<string, string> }>;
}

/** The folder of src a file belongs to; empty for the files directly in src. */
function layerOf(file: string): string {
  return /^src\/([^/]+)\//.exec(file)?.[1] ?? '';
}

function forbidden(file: string, target: string): boolean {
  if (file.startsWith('web/')) return target.startsWith('src/') && layerOf(target) !== 'wire';
  if (!target.startsWith('src/')) return !isTest(file);
  const [from, to] = [layerOf(file), layerOf(target)];
  // What stands directly in src composes the rest; nothing below knows it.
  return from !== '' && from !== to && !(mayImport[from] ?? []).includes(to);
}

function reachableFrom(starts: readonly string[]): Set<string> {
  const reached = new Set<string>();
  const open = [...starts];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (reached.has(file) || !sources.includes(file)) continue;
    reached.add(file);
    open.push(...importsOf(file, read(file)));
  }
  return reached;
}

function isNamed(name: string, besides: string): boolean {
  return shipped.some((file) => file !== besides && read(file).includes(name));
}

function linesOf(file: string): number {
  return read(file).trimEnd().split('\n').length;
}

/** The retired words in a line, in the order of their list. Names in camel case are read word by word. */
function retiredIn(line: string): string[] {
  const apart = line.replace(/([a-z])([A-Z])/g, '$1 $2');
  return retiredWords.flatMap(({ word, but }) => {
    const found = word.exec(apart);
    return found === null || but?.test(apart) === true ? [] : [found[0]];
  });
}
