// The sample of the demo: a tiny library with tests, four tasks, and the steps of the scripted agent for each. The prompts
// also work for a real agent.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** This very Node: agents and checks look for programs in places of their own. */
const node = quoted(process.execPath);
/** Must pass on the work of every agent, its own tests included. */
export const check = `${node} --test`;

export function makeRepository(repo) {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(repo, path)), { recursive: true });
    writeFileSync(join(repo, path), text);
  }
  git(repo, 'init', '--quiet', '--initial-branch=main');
  // Work lands in the name of whoever git knows here.
  git(repo, 'config', 'user.name', 'Demo');
  git(repo, 'config', 'user.email', 'demo@localhost');
  git(repo, 'add', '.');
  git(repo, 'commit', '--quiet', '-m', 'A small library for adding up amounts');
}

export function git(repo, ...args) {
  const names = ['GIT_AUTHOR_NAME', 'GIT_COMMITTER_NAME'].map((name) => [name, 'Demo']);
  const mails = ['GIT_AUTHOR_EMAIL', 'GIT_COMMITTER_EMAIL'].map((name) => [name, 'demo@localhost']);
  const env = { ...process.env, ...Object.fromEntries([...names, ...mails]) };
  return execFileSync('git', ['-c', 'commit.gpgsign=false', ...args], { cwd: repo, encoding: 'utf8', env }).trimEnd();
}

const files = {
  'package.json': `${JSON.stringify({ name: 'tally', version: '0.1.0', type: 'module', scripts: { test: 'node --test' } }, null, 2)}\n`,
  'README.md': '# tally\n\nAdds up amounts, one a line: `printf "1.50\\n2\\n" | node bin/tally.js`\n',
  'src/tally.js': `/** One amount for each line that is not empty. */
export function parse(text) {
  const lines = text.split('\\n').filter((line) => line.trim() !== '');
  return lines.map((line) => Number(line));
}

export function sum(amounts) {
  return amounts.reduce((total, amount) => total + amount, 0);
}

export function mean(amounts) {
  return amounts.length === 0 ? 0 : sum(amounts) / amounts.length;
}
`,
  'bin/tally.js': `import { readFileSync } from 'node:fs';
import { mean, parse, sum } from '../src/tally.js';

const amounts = parse(readFileSync(0, 'utf8'));
console.log(\`\${amounts.length} amounts, sum \${sum(amounts)}, mean \${mean(amounts)}\`);
`,
  'test/tally.test.js': `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mean, parse, sum } from '../src/tally.js';

test('lines become amounts', () => assert.deepEqual(parse('1.50\\n\\n2\\n'), [1.5, 2]));
test('amounts add up', () => assert.equal(sum([1.5, 2]), 3.5));
test('the mean of nothing is nothing', () => assert.equal(mean([]), 0));
`,
};

const testHead = "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\n";

/** Replaces a piece of a file, as an agent's editor would. */
function edit(path, before, after) {
  const program = `const fs = require('node:fs'); const [path, before, after] = process.argv.slice(1);
const text = fs.readFileSync(path, 'utf8'); if (!text.includes(before)) throw new Error('it is not there');
fs.writeFileSync(path, text.replace(before, () => after));`;
  return { run: [process.execPath, '-e', program, path, before, after].map(quoted).join(' ') };
}

const read = (path) => ({ tool: { name: 'Read', input: { file_path: path }, result: files[path] } });
const think = (ms) => ({ wait: ms });

function quoted(text) {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

const acceptsThousands = edit('src/tally.js', 'Number(line)', "Number(line.replaceAll(',', ''))").run;

export const tasks = [
  {
    prompt: 'sum() loses cents: sum([0.1, 0.2]) gives 0.30000000000000004. Count in whole cents, and add a test.',
    steps: [
      read('src/tally.js'),
      { say: 'Floating point. I write the test first, and see it fail.' },
      think(700),
      {
        write: {
          path: 'test/cents.test.js',
          text: `${testHead}import { sum } from '../src/tally.js';\n\ntest('cents are not lost', () => assert.equal(sum([0.1, 0.2]), 0.3));\n`,
        },
      },
      { run: `if ${check} test/cents.test.js >/dev/null; then exit 1; else echo it fails, as it should; fi` },
      think(900),
      edit(
        'src/tally.js',
        'return amounts.reduce((total, amount) => total + amount, 0);',
        'return amounts.reduce((cents, amount) => cents + Math.round(amount * 100), 0) / 100;',
      ),
      { run: check },
      { commit: 'Count in whole cents' },
      { say: 'sum() counts in whole cents now; the new test passes.' },
    ],
  },
  {
    prompt: 'Add a --json flag to bin/tally.js that prints count, sum and mean as one JSON object, and test it.',
    steps: [
      read('bin/tally.js'),
      think(500),
      { say: 'A flag, and a test that runs the program.' },
      edit(
        'bin/tally.js',
        'console.log(`',
        "const result = { count: amounts.length, sum: sum(amounts), mean: mean(amounts) };\nif (process.argv.includes('--json')) console.log(JSON.stringify(result));\nelse console.log(`",
      ),
      think(900),
      {
        write: {
          path: 'test/json.test.js',
          text: `${testHead}import { execFileSync } from 'node:child_process';\n\ntest('--json prints one object', () => {\n  const told = execFileSync(process.execPath, ['bin/tally.js', '--json'], { input: '1.50\\n2\\n', encoding: 'utf8' });\n  assert.deepEqual(JSON.parse(told), { count: 2, sum: 3.5, mean: 1.75 });\n});\n`,
        },
      },
      { run: check },
      { commit: 'Add --json' },
      { say: 'bin/tally.js knows --json, and a test runs it.' },
    ],
  },
  {
    prompt: 'parse() should accept thousands such as 1,234.50. Add a test for it.',
    steps: [
      read('src/tally.js'),
      think(600),
      {
        write: {
          path: 'test/thousands.test.js',
          text: `${testHead}import { parse } from '../src/tally.js';\n\ntest('thousands are read', () => assert.deepEqual(parse('1,234.50'), [1234.5]));\n`,
        },
      },
      { commit: 'Add a test for thousands' },
      // The check refutes this claim, and the task goes back to the agent.
      { turn: 'All tests pass.' },
      { say: 'They do not: the test is there, and parse() is as it was.' },
      { run: `${acceptsThousands} && ${check}` },
      { commit: 'Read thousands' },
      { say: 'Now they do.' },
    ],
  },
  {
    prompt: 'Describe every function that src/tally.js exports in README.md, with an example of each.',
    steps: [
      read('src/tally.js'),
      read('README.md'),
      think(1_200),
      {
        append: {
          path: 'README.md',
          text: "\n## Functions\n\n- `parse(text)` reads one amount a line: `parse('1.50\\n2')` is `[1.5, 2]`\n- `sum(amounts)` adds them up: `sum([1.5, 2])` is `3.5`\n- `mean(amounts)` is their mean: `mean([1.5, 2])` is `1.75`, and `mean([])` is `0`\n",
        },
      },
      think(600),
      { commit: 'Describe the functions' },
      { say: 'README.md describes parse, sum and mean.' },
    ],
  },
];
