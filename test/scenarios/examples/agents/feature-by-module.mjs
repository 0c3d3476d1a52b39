// Three authors who see only the interfaces that were agreed on; what they built works together.

const part = { store: 'Keep archived names.', api: 'Serve POST /archive.', web: 'Show a button.' };

const test = (imports, body) => `import { deepStrictEqual, match } from 'node:assert';
import { test } from 'node:test';
${imports}

test('archives', () => {
${body}
});
`;

export const agents = {
  survey({ prompt, run }) {
    const [, module] = /Look at (\S+) alone/.exec(prompt);
    return { module, touches: [`src/index.js:${run(`grep -c . ${module}/src/index.js`).text}`], uses: [], borders: [] };
  },
  interfaces({ inputs, write, expectTold }) {
    expectTold('"module": "packages/store"', '"module": "packages/api"', '"module": "packages/web"');
    write(
      'packages/store/src/types.ts',
      'export interface Store {\n  archive(name: string): void;\n  list(): string[];\n}\n',
    );
    write(
      'packages/api/src/types.ts',
      "export interface Api {\n  handle(method: 'POST', path: string): string[];\n}\n",
    );
    write('packages/web/src/types.ts', 'export interface Web {\n  render(names: string[]): string;\n}\n');
    return {
      ...part,
      acceptance: ['An archived project is gone.'],
      sources: { used: inputs.map(({ id }) => id), rejected: [] },
    };
  },
  store({ write, read, expectTold }) {
    expectTold(part.store);
    if (!read('packages/store/src/types.ts').includes('archive(')) throw new Error('no interface was agreed on');
    const code = "const names = new Set(['one', 'two']);\n";
    const functions =
      'export const archive = (name) => void names.delete(name);\nexport const list = () => [...names];\n';
    write('packages/store/src/index.js', code + functions);
    const body = "  archive('one');\n  deepStrictEqual(list(), ['two']);";
    write('packages/store/src/index.test.js', test("import { archive, list } from './index.js';", body));
  },
  api({ write, expectTold }) {
    expectTold(part.api);
    const code =
      "export function handle(store, path) {\n  store.archive(path.split('/')[2]);\n  return store.list();\n}\n";
    write('packages/api/src/index.js', code);
    const body = "  deepStrictEqual(handle({ archive() {}, list: () => ['two'] }, '/archive/one'), ['two']);";
    write('packages/api/src/index.test.js', test("import { handle } from './index.js';", body));
  },
  web({ write, expectTold }) {
    expectTold(part.web);
    write(
      'packages/web/src/index.js',
      "export const render = (names) => names.map((name) => `<button>${name}</button>`).join('');\n",
    );
    const body = "  match(render(['two']), /<button>two/);";
    write('packages/web/src/index.test.js', test("import { render } from './index.js';", body));
  },
  join({ write, expectTold }) {
    expectTold('An archived project is gone.');
    const imports = "import { handle } from 'api';\nimport * as store from 'store';\nimport { render } from 'web';";
    write('e2e/archive.js', test(imports, "  match(render(handle(store, '/archive/one')), /^<button>two<.button>$/);"));
    write('docs/archive.md', 'POST /archive/<name> archives a project.\n');
  },
  refute({ run, expectTold }) {
    expectTold('An archived project is gone.');
    const { status, text } = run('npm ci && npm run e2e');
    return status === 0 ? { verdict: 'holds', faults: [] } : { verdict: 'refuted', faults: [text] };
  },
};
