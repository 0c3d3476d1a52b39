// One dependency is outdated, one test depends on what an earlier run left, and the agent for documents fails.

export const agents = {
  update({ run, expectTold }) {
    expectTold('left-pad', '1.1.0', '1.3.0');
    const { status, text } = run('npm update left-pad');
    if (status !== 0) throw new Error(text);
    return {
      updated: [`left-pad ${JSON.parse(run('cat node_modules/left-pad/package.json').text).version}`],
      left: [],
    };
  },
  flaky({ run }) {
    run('npm ci');
    const statuses = [run('npm test').status, run('npm test').status];
    const failed = `${statuses.filter((status) => status !== 0).length} of ${statuses.length}`;
    return { tests: [{ name: 'starts empty', file: 'test/empty.test.js', failed, message: 'there is a file' }] };
  },
  steady({ run, read, write, expectTold }) {
    expectTold('"starts empty" in test/empty.test.js failed 1 of 2 times');
    write('test/empty.test.js', `${read('test/empty.test.js')}rmSync('left-over');\n`);
    run('npm ci');
    const runs = [run('npm test').status, run('npm test').status];
    return { cause: 'It left a file.', runs: `${runs.filter((status) => status === 0).length} of 2 passed` };
  },
  documents() {
    throw new Error('this agent gives up');
  },
  report({ expectTold }) {
    expectTold(
      'Dependencies (succeeded)',
      'left-pad 1.3.0',
      'Flaky tests (succeeded)',
      '2 of 2 passed',
      'Documents (failed)',
    );
    return { report: 'One update, one steady test.', attention: ['The documents were not looked at.'] };
  },
};
