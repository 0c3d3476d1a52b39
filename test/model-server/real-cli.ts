// The real Claude Code CLI for tests, run only against a model on loopback, with a home of its own and a key that opens nothing.

import { claudeTested } from '../../src/harness/claude/version.ts';
import { sized } from '../size.ts';
import { installed, programs, type RealCli } from './agent-programs.ts';
import type { ModelServer } from './model-server.ts';

export { type RealCli, withoutProgram } from './agent-programs.ts';

/** Every version that we say is tested: `npm run test:full` runs every suite on each. */
export const cliVersions = claudeTested;
export type CliVersion = (typeof cliVersions)[number];
export const newestCli: CliVersion = '2.1.326';

/** What `npm test` runs the suites on that depend on the version: where versions differ, the ends of the range do. */
export const cliRange: readonly CliVersion[] = sized(['2.1.197', newestCli], [...cliVersions]);

export function realCli(version: CliVersion): Promise<RealCli> {
  return installed(programs.claude(version));
}

/** All there is of an environment: nothing of the person's who runs the tests. */
export function cliEnvironment(server: ModelServer): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin',
    ANTHROPIC_BASE_URL: server.url,
    ANTHROPIC_API_KEY: 'dummy',
  };
}
