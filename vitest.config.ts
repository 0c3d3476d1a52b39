// Four projects, from fast to slow. Each runs alone, in this order, so that a scenario's processes never
// compete with the simulator for the machine.
import { defineConfig } from 'vitest/config';

/** One more than a small machine has cores: much of a scenario is waiting. */
const scenarioWorkersMax = 3;

export default defineConfig({
  test: {
    reporters: ['default'],
    projects: [
      {
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'test/*.test.ts', 'test/model/**/*.test.ts', 'test/engine/**/*.test.ts'],
          testTimeout: 60_000,
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
          testTimeout: 120_000,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          name: 'scenarios',
          include: ['test/scenarios/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          maxWorkers: scenarioWorkersMax,
          // Real processes on a machine that others use too: continuous integration gives each one more try, and its report
          // says which needed it. By hand there is none, so that what is flaky is seen and mended.
          retry: process.env['CI'] === undefined ? 0 : 1,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
});
