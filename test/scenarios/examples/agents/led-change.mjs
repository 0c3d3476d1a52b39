// The lead asks for a reader and two authors; this is what each of them does.

const pages = 'export const page = (list, n, size = 2) => list.slice(n * size, (n + 1) * size);\n';
const test = `import { deepStrictEqual } from 'node:assert';
import { test } from 'node:test';
import { list, page } from '../src/list.js';

test('lists have pages', () => deepStrictEqual(page(list, 1), ['c']));
`;

export const agents = {
  reader: ({ run }) => ({ lists: run("grep -l 'export const list' src/*").text.split('\n') }),
  author({ read, write, expectTold }) {
    expectTold('src/list.js');
    write('src/list.js', read('src/list.js') + pages);
  },
  tester({ read, write }) {
    if (!read('src/list.js').includes('page')) throw new Error('what the author changed has not been integrated');
    write('test/page.test.js', test);
  },
  lead: ({ expectTold }) => {
    expectTold('Lists have pages.');
    return { done: ['Lists have pages; test/page.test.js'], open: [] };
  },
  refute({ run, expectTold }) {
    expectTold('Lists have pages; test/page.test.js');
    const { status, text } = run('npm ci && npm test');
    const commit = run('git rev-parse HEAD').text;
    return { commit, decision: status === 0 ? 'pass' : 'fail', reasons: status === 0 ? [] : [{ reason: text }] };
  },
};
