// The guard of the suites that need a real agent: where its program cannot be had, continuous integration fails.

import { expect, it } from 'vitest';
import { cliRange, cliVersions, newestCli, withoutProgram } from './model-server/real-cli.ts';

class Skipped extends Error {}

const skip = (why: string): never => {
  throw new Skipped(why);
};

it('a suite whose program cannot be installed fails where CI is set', () => {
  expect(() => withoutProgram(skip, 'npm failed', { CI: 'true' })).toThrow('npm failed (CI is set');
  expect(() => withoutProgram(skip, 'npm failed', { CI: '1' })).not.toThrow(Skipped);
});

it('by hand it is skipped, with the reason', () => {
  expect(() => withoutProgram(skip, 'npm failed', {})).toThrow(new Skipped('npm failed'));
  expect(() => withoutProgram(skip, 'npm failed', { CI: '' })).toThrow(Skipped);
});

it('the range that every test run has are the oldest and the newest of the tested versions', () => {
  expect(newestCli).toBe(cliVersions.at(-1));
  expect(cliRange[0]).toBe(cliVersions[0]);
  expect(cliRange.at(-1)).toBe(newestCli);
});
