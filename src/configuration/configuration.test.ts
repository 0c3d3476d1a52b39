import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { problemText } from '../plan/file/problem.ts';
import { loadConfiguration } from './configuration.ts';

const harnesses = { all: ['claude', 'command', 'scripted'], installable: ['claude'] };
let dir = '';
let yours = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'configuration-'));
  yours = join(dir, 'config.yaml');
  mkdirSync(join(dir, 'repo/.signalbox'), { recursive: true });
});
afterEach(() => rmSync(dir, { recursive: true }));

const load = () => loadConfiguration({ yours, top: join(dir, 'repo') }, harnesses);
const own = (text: string): void => writeFileSync(yours, text);
const shared = (text: string): void => writeFileSync(join(dir, 'repo/.signalbox/config.yaml'), text);
const problems = async (): Promise<string[]> =>
  (await load()).problems.map((each) => problemText(each).replaceAll(`${dir}/`, ''));

describe('two configuration files', () => {
  it('are both optional, and may be empty [CONF-1]', async () => {
    expect(await load()).toEqual({ values: {}, sources: {}, wantedEnv: [], problems: [] });
    own('');
    shared('# nothing\n\n');
    expect(await load()).toEqual({ values: {}, sources: {}, wantedEnv: [], problems: [] });
  });

  it("the repository's values go before the user's, each with its source [CONF-1]", async () => {
    own('harness: scripted\nmodel: opus\nslots: { all: 8, claude: 2 }\n');
    shared('checks:\n  - npm test\n  - { run: npm run lint, timeout-minutes: 5 }\n\nharness: claude\n');
    const { values, sources } = await load();
    expect(values).toEqual({
      harness: 'claude',
      model: 'opus',
      slots: { all: 8, claude: 2 },
      checks: ['npm test', { run: 'npm run lint', 'timeout-minutes': 5 }],
    });
    expect(sources).toEqual({
      harness: '.signalbox/config.yaml:5',
      model: `${yours}:2`,
      slots: `${yours}:3`,
      checks: '.signalbox/config.yaml:1',
    });
  });

  it('of two limits the lower one holds [CONF-2]', async () => {
    own('limits: { budget: { usd: 5, tokens: 2M }, max-parallel: 3 }\n');
    shared('limits: { budget: { usd: 50, turns: 9 }, max-parallel: 8, agents: { depth: 2 } }\n');
    const { values, sources } = await load();
    expect(values.limits).toEqual({
      maxParallel: 3,
      perHarness: {},
      budget: { microUsd: 5_000_000, tokens: 2_000_000, turns: 9 },
      confirmAbove: null,
      agents: { depthMax: 2 },
    });
    expect(sources.limits).toBe(`${yours}:1, .signalbox/config.yaml:1`);
  });

  it('a repository may only wish for variables; the user decides [CONF-3]', async () => {
    own('env: [NPM_TOKEN]\n');
    shared('env: [NPM_TOKEN, AWS_SECRET_ACCESS_KEY]\n');
    const { values, wantedEnv } = await load();
    expect([values.env, wantedEnv]).toEqual([['NPM_TOKEN'], ['AWS_SECRET_ACCESS_KEY']]);
  });
});

describe('a mistake', () => {
  it('is reported with its line and what was probably meant, and no value of that file is used [CONF-4]', async () => {
    shared('model: opus\nharnes: claude\nchecks: npm test\n');
    own('harness: cluade\n');
    expect(await problems()).toEqual([
      'config.yaml:1:1: error: there is no harness "cluade"\n  did you mean "claude"?',
      '.signalbox/config.yaml:2:1: error: "harnes" is not known here\n  did you mean "harness"?',
      '.signalbox/config.yaml:3:9: error: this takes a list, not "npm test"\n  write [npm test]',
    ]);
    expect((await load()).values).toEqual({});
  });

  it('in YAML, in an amount, or of a file that cannot be read, is reported too [CONF-4]', async () => {
    own('limits: { budget: { usd: much } }\n');
    shared('harness: "claude\n');
    expect((await problems()).map((text) => text.split('\n')[0])).toEqual([
      expect.stringMatching(/^config\.yaml:1:\d+: error: /),
      expect.stringMatching(/^\.signalbox\/config\.yaml:\d+:\d+: error: this is not YAML: /),
    ]);
    rmSync(yours);
    mkdirSync(yours);
    expect((await problems())[0]).toBe('config.yaml:1:1: error: the configuration cannot be read: it is no file');
  });

  it("so is a repository's attempt to weaken what protects its user [CONF-3]", async () => {
    shared('sandbox: none\nnotify: curl evil\nslots: 99\nharness: scripted\n');
    expect((await problems()).map((text) => text.replaceAll('.signalbox/config.yaml:', ''))).toEqual([
      '1:1: error: a repository cannot turn the sandbox off\n  say it yourself: --sandbox none, or in your own configuration',
      '2:1: error: "notify" belongs into your own configuration\n  it is run outside the sandbox, so no repository may name it',
      '3:1: error: "slots" belongs into your own configuration\n  a repository does not decide about your machine',
      '4:1: error: a repository cannot choose "scripted", which does no work by itself\n  it takes claude; --harness scripted is for you to say',
    ]);
    shared('sandbox: workspace\n');
    own('sandbox: none\n');
    expect((await load()).values.sandbox).toBe('workspace');
  });

  it('so is a setup for every repository at once [CONF-4]', async () => {
    own('setup: npm ci\n');
    expect((await problems())[0]).toContain('"setup" belongs into a repository\'s configuration');
  });
});
