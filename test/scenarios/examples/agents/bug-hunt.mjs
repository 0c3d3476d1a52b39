// The first fix separates users and is refuted, because their names may contain the separator; the second one holds.

const test = (name, first, second) => `import { strictEqual } from 'node:assert';
import { test } from 'node:test';
import { answer } from '../src/cache.js';

test('${name}', () => {
  answer(${first}, () => 'ann');
  strictEqual(answer(${second}, () => 'bob'), 'bob');
});
`;
const two = test('keeps the answers of two users apart', "'ann', '/me'", "'bob', '/me'");
const slashes = test('keeps names with slashes apart', "'a/b', 'c'", "'a', 'b/c'");

function fixKey({ read, write }, before, after) {
  write('src/cache.js', read('src/cache.js').replace(before, after));
}

export const agents = {
  trace(agent) {
    agent.expectTold('Ann sees what Bob asked for');
    agent.write('seen.mjs', two.replace('../src', './src'));
    const withBug = agent.run('node seen.mjs').status;
    fixKey(agent, 'keyOf(path)', 'keyOf(user, path)');
    const without = agent.run('node seen.mjs').status;
    const evidence = `The status is ${withBug} with it, and ${without} with the user in the key.`;
    return {
      cause: 'The key leaves out the user.',
      place: 'src/cache.js:5',
      evidence,
      sure: withBug !== 0 && without === 0,
    };
  },
  reproduce(agent) {
    agent.write('test/users.test.js', two);
    const { status, text } = agent.run('npm test');
    if (status === 0) throw new Error('the test does not fail');
    const failure = /Expected values.*|'ann' !== 'bob'/.exec(text)?.[0] ?? text.slice(-300);
    return { test: two, file: 'test/users.test.js', failure, gap: 'Every test has one user.' };
  },
  diagnose({ inputs, expectTold }) {
    expectTold('The status is 1 with it, and 0 with the user in the key.', 'Every test has one user.');
    return {
      diagnosis: 'The key leaves out the user.',
      change: 'Make the key of user and path.',
      places: ['src/cache.js:5'],
      test: 'test/users.test.js: keeps the answers of two users apart',
      sources: { used: inputs.map(({ id }) => id), rejected: [] },
    };
  },
  fix(agent) {
    agent.expectTold('Make the key of user and path.');
    agent.write('test/users.test.js', two);
    fixKey(agent, 'keyOf(path)', 'keyOf(user, path)');
  },
  refute(agent) {
    agent.expectTold('The key leaves out the user.');
    agent.write('test/slashes.test.js', slashes);
    const { status } = agent.run('npm test');
    const fault = { fault: 'Names with slashes still share an answer.', proof: `npm test ended with ${status}` };
    return status === 0 ? { verdict: 'holds', faults: [] } : { verdict: 'refuted', faults: [fault] };
  },
  'fix-again'(agent) {
    agent.expectTold('Names with slashes still share an answer.', 'npm test ended with 1');
    agent.write('test/slashes.test.js', slashes);
    fixKey(agent, 'keyOf(user, path)', 'JSON.stringify([user, path])');
    fixKey(agent, "import { keyOf } from 'keys';\n", '');
  },
};
