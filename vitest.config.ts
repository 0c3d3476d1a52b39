// Six projects, from fast to slow. Each runs alone, in this order, so that a scenario's processes never
// compete with the simulator for the machine.
import { availableParallelism } from 'node:os';
import { basename } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Vitest by itself leaves one core to itself, which on two is half of the machine. */
const maxWorkers = Math.max(2, availableParallelism());
const isFull = process.env['CHAOS'] === '1';
/** More than a small machine has cores: much of a scenario is waiting. At their full size they fill the machine one by one. */
const scenarioWorkersMax = isFull ? 1 : 5;
const minuteMs = 60_000;

/** One of these that begins last keeps one core busy while the other has nothing to do. The longest first. */
const long = `
  tool-fuzz properties total seeds-odd seeds-even mutants
  kill-points real-cli-run s19-shared-state s01-real-cli integrate chaos-messages s13-messages skeleton daemon parking
  s11-real-cli terminal-work s08-memory plan-real-cli s14-authority examples process-loss context-real-cli children-people
`
  .trim()
  .split(/\s+/);

/** Vitest knows how long each took the last time. A machine that never ran them knows nothing. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = long.indexOf(basename(moduleId, '.test.ts'));
      return at === -1 ? long.length : at;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  test: {
    reporters: ['default'],
    sequence: { sequencer: LongFirst },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'test/*.test.ts', 'test/model/**/*.test.ts', 'test/engine/**/*.test.ts'],
          testTimeout: 60_000,
          maxWorkers,
          // What they test has no state of its own; a process for each file took longer than most files.
          isolate: false,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          name: 'conformance',
          include: ['test/conformance/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'sim',
          include: ['test/sim/**/*.test.ts'],
          testTimeout: isFull ? 10 * minuteMs : 2 * minuteMs,
          hookTimeout: 120_000,
          maxWorkers,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          name: 'scenarios',
          include: ['test/scenarios/**/*.test.ts'],
          testTimeout: isFull ? 30 * minuteMs : 2 * minuteMs,
          hookTimeout: 120_000,
          maxWorkers: scenarioWorkersMax,
          // Their state is in processes and directories; loading the program again for each file took a second of processor time.
          isolate: false,
          // Real processes on a machine that others use too: continuous integration gives each one more try, and its report
          // says which needed it. By hand there is none, so that what is flaky is seen and mended.
          retry: process.env['CI'] === undefined ? 0 : 1,
          sequence: { groupOrder: 3 },
        },
      },
      {
        test: {
          name: 'security',
          include: ['test/security/**/*.test.ts'],
          testTimeout: isFull ? 30 * minuteMs : 2 * minuteMs,
          hookTimeout: 120_000,
          maxWorkers: scenarioWorkersMax,
          isolate: false,
          retry: process.env['CI'] === undefined ? 0 : 1,
          sequence: { groupOrder: 4 },
        },
      },
      {
        test: {
          name: 'agents',
          include: ['test/agents/**/*.test.ts'],
          testTimeout: isFull ? 30 * minuteMs : 2 * minuteMs,
          // A program is installed by the first suite that needs it.
          hookTimeout: 6 * minuteMs,
          maxWorkers: isFull ? 1 : 3,
          isolate: false,
          retry: process.env['CI'] === undefined ? 0 : 1,
          sequence: { groupOrder: 5 },
        },
      },
    ],
  },
});
