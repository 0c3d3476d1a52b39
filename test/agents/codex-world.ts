// The whole program with the real Codex as its agent, against a scripted model on loopback. Nothing of the person's who runs the tests.

import { afterAll, afterEach, beforeAll, describe, type TestContext } from 'vitest';
import { codexTested } from '../../src/harness/codex/version.ts';
import { installed, programs, type RealCli, withoutProgram } from '../model-server/agent-programs.ts';
import { type ModelRequest, type ModelServer, startModelServer } from '../model-server/model-server.ts';
import type { ModelStep } from '../model-server/script.ts';
import { openWorld, type World } from '../scenarios/daemon/daemon-world.ts';

export interface CodexGround {
  readonly world: World;
  /** What the model was asked since the test began. */
  asked(): readonly ModelRequest[];
  /** A prompt to which the model answers with these steps. */
  prompt(steps: readonly ModelStep[]): string;
  readonly server: ModelServer;
}

export type BeginCodex = (context: TestContext, settings?: Record<string, string>) => CodexGround;

export function onCodex(what: string, tests: (begin: BeginCodex) => void): void {
  for (const version of codexTested) {
    describe(`${what} (Codex ${version})`, () => {
      let cli: RealCli = { kind: 'missing', why: 'not looked for' };
      let server: ModelServer;
      let world: World | null = null;
      let prompts = 0;
      beforeAll(async () => {
        [cli, server] = await Promise.all([installed(programs.codex(version)), startModelServer()]);
      });
      afterEach(async () => {
        server.refuseAll(null);
        await world?.close();
        world = null;
      });
      afterAll(() => server.close());
      tests((context, settings = {}) => {
        if (cli.kind === 'missing') return withoutProgram(context.skip, cli.why);
        const service = { OPENAI_BASE_URL: `${server.url}/v1`, OPENAI_API_KEY: 'dummy' };
        const opened = openWorld({ SIGNALBOX_CODEX: cli.binary, ...service, ...settings });
        world = opened;
        const before = server.requests.length;
        return {
          world: opened,
          server,
          asked: () => server.requests.slice(before),
          prompt(steps) {
            prompts += 1;
            const marker = `script${prompts}x`;
            server.act(marker, steps);
            return `Please act out ${marker}`;
          },
        };
      });
    });
  }
}
