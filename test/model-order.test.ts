// The folders of src/model have an order: values are imported from folders below only. Types may be imported from anywhere, since
// the state of a run is made of the parts that the folders declare. The linter enforces the same order by its own parser.
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
