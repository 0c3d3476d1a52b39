// What is to come of each example when it works on its sample: how its tasks end, what a synthesis makes of its inputs, and what
// is on the branch of the run.

import { call, type Step, spawn } from '../children/children-world.ts';

export interface Worked {
  readonly inputs?: readonly string[];
  /** Its commands use jq. */
  readonly jq?: true;
  /** What the program exits with. */
  readonly code?: number;
  /** How its tasks end; those of a matrix by their number or item. None is left out. */
  readonly succeeded: readonly string[];
  readonly failed?: readonly string[];
  /** Of each synthesis, the tasks whose outputs it used, and those it rejected with a reason. */
  readonly accounts?: Readonly<Record<string, Account>>;
  /** Texts that are in files of the run's branch. */
  readonly integrated: Readonly<Record<string, readonly string[]>>;
  /** Files that agents made and that are not kept. */
  readonly notIntegrated?: readonly string[];
  /** Steps of agents that do more than run the program of their task; `work` is a step that runs that of any name. */
  readonly steps?: (work: Work) => Readonly<Record<string, readonly Step[]>>;
}

export interface Account {
  readonly used: readonly string[];
  readonly rejected: readonly string[];
}

export type Work = (task: string, verb: 'run' | 'outputOf') => Step;

const surveys = ['store', 'api', 'web'].map((name) => `survey.packages-${name}`);
const moves = ['cart', 'login', 'money', 'search'].map((name) => `migrate.src-${name}.test.ts`);

export const worked: Readonly<Record<string, Worked>> = {
  'bug-hunt': {
    inputs: ['bug=Ann sees what Bob asked for.'],
    succeeded: ['trace', 'reproduce', 'diagnose', 'fix', 'refute', 'fix-again'],
    accounts: { diagnose: { used: ['trace', 'reproduce'], rejected: [] } },
    integrated: {
      'src/cache.js': ['JSON.stringify([user, path])'],
      'test/users.test.js': ['two users apart'],
      'test/slashes.test.js': ['names with slashes'],
    },
    notIntegrated: ['seen.mjs'],
  },
  'endpoint-audit': {
    succeeded: ['list', 'audit.1', 'audit.2', 'report'],
    failed: ['audit', 'audit.3'],
    code: 6,
    accounts: { report: { used: ['list', 'audit.2'], rejected: ['audit.1'] } },
    integrated: { 'docs/audits/endpoints.md': ['DELETE /projects: Anybody can do it.', 'Looked at: 2 of 3.'] },
  },
  'feature-by-module': {
    inputs: ['feature=Projects can be archived.'],
    succeeded: ['survey', ...surveys, 'interfaces', 'store', 'api', 'web', 'join', 'refute'],
    accounts: { interfaces: { used: surveys, rejected: [] } },
    integrated: {
      'packages/store/src/types.ts': ['archive(name: string)'],
      'packages/store/src/index.js': ['names.delete'],
      'packages/api/src/index.js': ['store.archive'],
      'packages/web/src/index.js': ['<button>'],
      'docs/archive.md': ['POST /archive'],
    },
  },
  'for-and-against': {
    inputs: ['proposal=Keep sessions in one place.'],
    succeeded: ['argue-for', 'argue-against', 'answer-for', 'answer-against', 'judge', 'record'],
    accounts: { judge: { used: ['argue-for', 'argue-against', 'answer-for'], rejected: ['answer-against'] } },
    integrated: { 'docs/decisions/0001-one-place-for-sessions.md': ['Accepted.'] },
  },
  'jest-to-vitest': {
    jq: true,
    succeeded: ['find', 'recipe', 'migrate', ...moves, 'sweep', 'refute'],
    integrated: {
      'src/cart.test.ts': ['vi.fn()'],
      'src/search.test.ts': ['vi.fn()'],
      'package.json': ['"vitest"'],
      'docs/vitest-migration.md': ['vi for jest'],
    },
  },
  'led-change': {
    inputs: ['change=Lists have pages.'],
    steps: (work) => ({
      lead: [
        spawn('reader', [work('reader', 'outputOf')], { role: 'researcher', writes: [], output: { type: 'object' } }),
        call('wait'),
        spawn('author', [work('author', 'run')], { role: 'implementer', writes: ['src/**'], inputs: ['reader'] }),
        call('wait'),
        spawn('tester', [work('tester', 'run')], { role: 'implementer', writes: ['test/**'] }),
        call('wait'),
        call('read_output', { task: 'reader', part: 'output' }),
        work('lead', 'outputOf'),
      ],
    }),
    succeeded: ['lead', 'reader', 'author', 'tester', 'refute'],
    integrated: { 'src/list.js': ['export const page'], 'test/page.test.js': ['lists have pages'] },
  },
  nightly: {
    jq: true,
    succeeded: ['outdated', 'update', 'flaky', 'steady', 'steady.1', 'report'],
    failed: ['documents'],
    code: 6,
    integrated: { 'package-lock.json': ['left-pad-1.3.0.tgz'], 'test/empty.test.js': ["rmSync('left-over')"] },
  },
};
