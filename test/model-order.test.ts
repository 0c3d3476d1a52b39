// The folders of src/model have an order: values are imported from folders below only. Types may be imported from anywhere, since
// the state of a run is made of the parts that the folders declare. The linter enforces the same order by its own parser.
// A folder that owns a slice of the state is the only one to write it.
import { describe, expect, it } from 'vitest';
import { filesBelow, isTest, read } from './source-files.ts';

/** From the bottom to the top. Files directly in src/model stand above all folders. */
const order = [
  'core',
  'ready',
  'spending',
  'messages',
  'teams',
  'inputs',
  'session',
  'asks',
  'attempt',
  'parking',
  'integrate',
  'land',
  'tasks',
  'children',
  'host',
  'dispatch',
  'lifecycle',
  'tool-calls',
] as const;

/** The slices of the state, by the names of their fields, and the folder that owns each. */
const owners: Readonly<Record<string, (typeof order)[number]>> = {
  ready: 'ready',
  spending: 'spending',
  memory: 'session',
  session: 'session',
  teams: 'teams',
  messages: 'messages',
  mailbox: 'messages',
  graph: 'tasks',
  tries: 'tasks',
  children: 'children',
  workspace: 'attempt',
  launches: 'attempt',
  origin: 'attempt',
  turn: 'session',
  asks: 'asks',
  asksOf: 'asks',
  openAsks: 'asks',
  remembered: 'asks',
  parking: 'parking',
  parked: 'parking',
  pauses: 'parking',
  integration: 'integrate',
  landing: 'land',
};

/** It rebuilds the indices of all slices. */
const snapshot = 'src/model/snapshot.ts';

const model = filesBelow('src/model').filter((file) => file.endsWith('.ts') && !isTest(file));

describe('the folders of the model', () => {
  it('are all in the order, and every folder of the order exists', () => {
    const folders = new Set(model.map(folderOf).filter((folder) => folder !== ''));
    expect([...folders].sort()).toEqual([...order].sort());
  });

  it('import values only from folders below', () => {
    expect(model.flatMap((file) => upwards(file, read(file)))).toEqual([]);
  });

  it('an import that points upwards is seen', () => {
    const file = 'src/model/ready/x.ts';
    const low = "import { a } from '../core/a.ts';\nimport type { b } from '../tasks/b.ts';\n";
    const high = "import {\n  c,\n  type D,\n} from '../tasks/c.ts';\nimport { e } from '../decide.ts';\n";
    const types = "import { type F } from '../tasks/f.ts';\nexport { g } from './g.ts';\n";
    expect(upwards(file, low + high + types)).toEqual([`${file} imports tasks`, `${file} imports the files above all`]);
  });

  it('the linter knows the same order', () => {
    const rules = JSON.parse(read('.oxlintrc.json')) as { overrides: { files: string[]; rules: object }[] };
    for (const [at, folder] of order.entries()) {
      const rule = rules.overrides.find(({ files }) => files[0] === `src/model/${folder}/**`);
      const above = order.slice(at + 1);
      const regex = above.length === 0 ? '^\\.\\./[^/]+$' : `^\\.\\./((${above.join('|')})/|[^/]+$)`;
      expect(JSON.stringify(rule), folder).toContain(JSON.stringify(regex));
    }
  });
});

describe('the slices of the state', () => {
  it('are written by the folder that owns them', () => {
    expect(model.filter((file) => file !== snapshot).flatMap((file) => foreignWrites(file, read(file)))).toEqual([]);
  });

  it('are each written by their folder somewhere', () => {
    const all = model.map((file) => ({ folder: folderOf(file), names: writesIn(read(file)).map(sliceOf) }));
    const unwritten = Object.entries(owners).filter(
      ([slice, owner]) => !all.some(({ folder, names }) => folder === owner && names.includes(slice)),
    );
    expect(unwritten).toEqual([]);
  });

  it.each([
    'run.spending.accounts = none;',
    "task.spending['budget'] += 1;",
    'agent.spending.metered.push(line);',
    'spending.booked ??= [];',
    'run.spending.left++;',
    'delete run.spending.accounts[name];',
    'must(run.spending.day).left = 2;',
  ])('a write from another folder is seen: %s', (line) => {
    expect(foreignWrites('src/model/tasks/x.ts', line)).toHaveLength(1);
    expect(foreignWrites('src/model/spending/x.ts', line)).toEqual([]);
  });

  it.each([
    'if (run.spending.left === 2) return;',
    'const spending = 2;',
    'const spent = run.spending.left;',
    'calls.push(run.spending.left);',
    'return { spending: noSpending() };',
    'lines.map(({ spending }) => spending.left);',
  ])('a read is none: %s', (line) => {
    expect(foreignWrites('src/model/tasks/x.ts', line)).toEqual([]);
  });
});

/** Writes to slices of other folders. */
function foreignWrites(file: string, text: string): string[] {
  const foreign = writesIn(text).filter((path) => owners[sliceOf(path)] !== folderOf(file));
  return foreign.map((path) => `${file} writes ${path}`);
}

/** Paths into slices that a text assigns to, deletes from, or changes by a method of a list, map or heap. */
function writesIn(text: string): string[] {
  const step = String.raw`(?:\)?[?!]?\.[\w$]+|\[[^\]\n]+\])`;
  const methods = 'set|delete|clear|push|pop|shift|unshift|splice|sort|reverse';
  const patterns = [
    String.raw`\b([\w$]+${step}+)\s*(?:(?:[-+*/|&?]{0,2}=(?![=>]))|\+\+|--)`,
    String.raw`(?:\+\+|--|\bdelete )([\w$]+${step}+)`,
    String.raw`\b([\w$]+${step}*?)[?!]?\.(?:${methods})\(`,
  ];
  const found = patterns.flatMap((pattern) => [...text.matchAll(new RegExp(pattern, 'g'))]);
  return found.map(([, path = '']) => path).filter((path) => sliceOf(path) !== '');
}

/** The first slice on a path, or empty. */
function sliceOf(path: string): string {
  return path.split(/\W+/).find((name) => owners[name] !== undefined) ?? '';
}

/** The folder of src/model a file is in; empty for the files directly in it. */
function folderOf(file: string): string {
  return /^src\/model\/([^/]+)\//.exec(file)?.[1] ?? '';
}

/** Imports of values from folders above, or from files that stand above all folders. */
function upwards(file: string, text: string): string[] {
  const own = order.indexOf(folderOf(file) as (typeof order)[number]);
  if (own < 0) return [];
  const imports = text.matchAll(/^(?:import|export)\s+(type\s+)?([\w$*\s{},]+?)\s+from\s+'\.\.\/([^']+)'/gm);
  return [...imports].flatMap(([, isType, names = '', path = '']) => {
    const values = names
      .replace(/[{}]/g, '')
      .split(',')
      .map((name) => name.trim());
    if (isType !== undefined || values.every((name) => name === '' || name.startsWith('type '))) return [];
    if (path.startsWith('../')) return [];
    const target = path.includes('/') ? (path.split('/')[0] ?? '') : '';
    if (target === '') return [`${file} imports the files above all`];
    return order.indexOf(target as (typeof order)[number]) > own ? [`${file} imports ${target}`] : [];
  });
}
