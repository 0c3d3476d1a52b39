// The real Claude Code CLI, every version, against a scripted model on loopback.

import { afterAll } from 'vitest';
import { createClaude } from '../../../src/harness/claude/claude.ts';
import { harnessBehaves, offeredTools, type Subject } from '../../harness/behaviour.ts';
import { type ModelServer, startModelServer } from '../../model-server/model-server.ts';
import { cliEnvironment, cliVersions, realCli } from '../../model-server/real-cli.ts';

const servers: ModelServer[] = [];
let scripts = 0;

afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()));
});

for (const version of cliVersions) {
  harnessBehaves(`claude ${version}`, async (): Promise<Subject | string> => {
    const cli = await realCli(version);
    if (cli.kind === 'missing') return cli.why;
    const server = await startModelServer();
    servers.push(server);
    return {
      harness: createClaude({
        binary: cli.binary,
        model: 'claude-haiku-4-5',
        env: cliEnvironment(server),
        tools: offeredTools,
      }),
      prepare(steps) {
        scripts += 1;
        const marker = `script${scripts}x`;
        server.act(marker, steps);
        return { prompt: `Please act out ${marker}`, settings: {} };
      },
      heard: (text) =>
        server.requests.some(({ conversation }) => conversation.includes(JSON.stringify(text).slice(1, -1))),
    };
  });
}
