// The first three files with the recipe, the fourth by it. Vitest is the real one.

import { readdirSync } from 'node:fs';

const config = `import { readdirSync, readFileSync } from 'node:fs';

const files = readdirSync('src').map((name) => 'src/' + name);
export default {
  test: { globals: true, include: files.filter((file) => !readFileSync(file, 'utf8').includes('jest.')) },
};
`;

function move({ read, write }, file) {
  write(file, read(file).replaceAll('jest.', 'vi.'));
}

export const agents = {
  recipe(agent) {
    const files = readdirSync('src').map((name) => `src/${name}`);
    agent.expectTold(...files);
    agent.write('vitest.config.mjs', config);
    const done = files.slice(0, 3);
    for (const file of done) move(agent, file);
    agent.write('docs/vitest-migration.md', 'Write vi for jest.\n');
    const { status, text } = agent.run('npm install --save-dev file:vendor/vitest && npx vitest run');
    if (status !== 0) throw new Error(text);
    return { worked: true, done, warnings: ['Beware of timers.'] };
  },
  migrate(agent) {
    agent.expectTold('Beware of timers.');
    agent.read('docs/vitest-migration.md');
    const [, file] = /Move (\S+) from Jest/.exec(agent.prompt);
    move(agent, file);
    const after = agent.read(file).match(/^test\(/gm).length;
    return { before: after, after };
  },
  refute({ run, expectTold }) {
    expectTold('"before":');
    const { status, text } = run('npm ci && npx vitest run');
    return status === 0 && /Tests +4 passed/.test(text)
      ? { verdict: 'holds', faults: [] }
      : { verdict: 'refuted', faults: [text] };
  },
};
