// The whole program with the real Claude Code CLI as its agent, against a scripted model on loopback. Nothing of the
// person's who runs the tests: a home of its own, a key that opens nothing.

import { afterAll, afterEach, beforeAll, describe, type TestContext } from 'vitest';
import { type ModelRequest, type ModelServer, startModelServer } from '../../model-server/model-server.ts';
import {
  type CliVersion,
  cliEnvironment,
  cliRange,
  cliVersions,
  newestCli,
  type RealCli,
  realCli,
  withoutProgram,
} from '../../model-server/real-cli.ts';
import type { ModelStep } from '../../model-server/script.ts';
import { isLong } from '../crash/storm-chance.ts';
import { openWorld, type Process, type World } from '../daemon/daemon-world.ts';

export const model = 'claude-haiku-4-5';

export interface Ground {
  readonly world: World;
  /** What the model was asked since the test began. */
  asked(): readonly ModelRequest[];
  /** A prompt to which the model answers with these steps. */
  prompt(steps: readonly ModelStep[]): string;
  /** The model answers with these steps to prompts that contain the words. */
  readonly act: ModelServer['act'];
  /** From now on the model refuses everybody like this; null = no longer. */
  readonly refuseAll: ModelServer['refuseAll'];
  /** From now on the model has a window of so many tokens. */
  readonly limitWindow: ModelServer['limitWindow'];
  /** Processes of the CLI itself. */
  clis(): Process[];
}

/** `settings`: what its world is set to besides. */
export type Begin = (context: TestContext, settings?: Record<string, string>) => Ground;

/** The tests for both ends of the range of versions; `CHAOS=1` makes them on all. */
export function onRealCli(
  what: string,
  tests: (begin: Begin) => void,
  versions: readonly CliVersion[] = cliRange,
): void {
  for (const version of versions) {
    describe(`${what} (Claude Code ${version})`, () => {
      let cli: RealCli = { kind: 'missing', why: 'not looked for' };
      let server: ModelServer;
      let world: World | null = null;
      let prompts = 0;
      beforeAll(async () => {
        [cli, server] = await Promise.all([realCli(version), startModelServer()]);
      });
      afterEach(async () => {
        server.refuseAll(null);
        server.limitWindow(null);
        await world?.close();
        world = null;
      });
      afterAll(() => server.close());
      tests((context, settings = {}) => {
        if (cli.kind === 'missing') return withoutProgram(context.skip, cli.why);
        const { binary } = cli;
        const opened = openWorld({ SIGNALBOX_CLAUDE: binary, ...cliEnvironment(server), ...settings });
        world = opened;
        const before = server.requests.length;
        return {
          world: opened,
          asked: () => server.requests.slice(before).filter(({ body }) => body.messages !== undefined),
          prompt(steps) {
            prompts += 1;
            const marker = `script${prompts}x`;
            server.act(marker, steps);
            return `Please act out ${marker}`;
          },
          act: server.act,
          refuseAll: server.refuseAll,
          limitWindow: server.limitWindow,
          clis: () =>
            opened
              .processes()
              .filter(
                ({ command }) =>
                  command.startsWith(binary) || / -p --input-format /.test(command.split(' -- ')[0] ?? ''),
              ),
        };
      });
    });
  }
}

/**
 * For tests of what Signalbox makes of an agent, which is the same whatever the CLI does: how that behaves is shown on
 * every version by the suites of the harness and of real runs. `CHAOS=1` makes them on all.
 */
export const onNewestCli = (what: string, tests: (begin: Begin) => void): void =>
  onRealCli(what, tests, isLong ? cliVersions : [newestCli]);
