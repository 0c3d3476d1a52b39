// Every agent of the list passes what every harness passes, on its real program against a scripted model on loopback.

import { afterAll } from 'vitest';
import { harnessBehaves, offeredTools, type Subject } from '../harness/behaviour.ts';
import { installed } from '../model-server/agent-programs.ts';
import { type ModelServer, startModelServer } from '../model-server/model-server.ts';
import { agents } from './agent-list.ts';

const servers: ModelServer[] = [];
let scripts = 0;

afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()));
});

for (const { name, program, create, ways } of agents) {
  harnessBehaves(name, async (): Promise<Subject | string> => {
    const found = await installed(program);
    if (found.kind === 'missing') return found.why;
    const server = await startModelServer();
    servers.push(server);
    return {
      harness: create({ binary: found.binary, server, tools: offeredTools }),
      ...(ways === undefined ? {} : { ways }),
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
