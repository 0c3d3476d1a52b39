// The real CLI, driven by its harness alone: no engine, and a model server that acts out what a test wrote.

import { afterAll, afterEach, beforeAll, describe, type TestContext } from 'vitest';
import { type ClaudeOptions, createClaude } from '../../../src/harness/claude/claude.ts';
import type { RecordId } from '../../../src/model/core/ids.ts';
import { type Driven, drive } from '../../harness/drive.ts';
import { type ModelServer, startModelServer } from '../../model-server/model-server.ts';
import { cliEnvironment, cliRange, type RealCli, realCli, withoutProgram } from '../../model-server/real-cli.ts';
import type { ModelStep } from '../../model-server/script.ts';

export interface Wished extends Pick<ClaudeOptions, 'tools' | 'parkingTools'> {
  readonly env?: Readonly<Record<string, string>>;
  readonly brake?: boolean;
}

export interface Ground {
  /** A process without input yet. */
  begin(context: TestContext, wished: Wished): Promise<Driven>;
  /** Tells it to act these steps out. */
  say(agent: Driven, steps: readonly ModelStep[]): Promise<RecordId>;
  server(): ModelServer;
}

/** The tests for each version; where one cannot be installed they are skipped with the reason, or fail in continuous integration. */
export function onDrivenClaude(tests: (ground: Ground) => void): void {
  for (const version of cliRange) {
    describe(`claude ${version}`, () => {
      let cli: RealCli = { kind: 'missing', why: 'not looked for' };
      let server: ModelServer;
      let driven: Driven | null = null;
      let scripts = 0;
      beforeAll(async () => {
        [cli, server] = await Promise.all([realCli(version), startModelServer()]);
      });
      afterEach(async () => {
        await driven?.close();
        driven = null;
      });
      afterAll(() => server.close());
      tests({
        async begin(context, { env = {}, brake = false, ...tools }) {
          if (cli.kind === 'missing') return withoutProgram(context.skip, cli.why);
          const all = { ...cliEnvironment(server), ...env };
          const harness = createClaude({ binary: cli.binary, model: 'claude-haiku-4-5', env: all, ...tools });
          driven = drive({ harness, settings: {}, sandboxed: true, brake });
          await driven.launch();
          return driven;
        },
        say(agent, steps) {
          scripts += 1;
          const marker = `script${scripts}x`;
          server.act(marker, steps);
          return agent.send({ kind: 'text', text: `Act out ${marker}` });
        },
        server: () => server,
      });
    });
  }
}
