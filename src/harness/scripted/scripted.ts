// The harness of the bundled scripted agent: a real process that acts out a script instead of asking a model.

import { fileURLToPath } from 'node:url';
import type { Harness } from '../harness.ts';
import { encodeOrder, initialState, readLine } from '../stream-json/codec.ts';

export function createScripted(nodePath: string, agentFile = bundledAgent()): Harness {
  return {
    name: 'scripted',
    initial: initialState,
    command({ agentId, settings, home, resume }) {
      return {
        argv: [nodePath, agentFile, ...(resume ? ['--resume'] : [])],
        env: {
          HOME: home,
          SIGNALBOX_AGENT: agentId,
          ...(settings['script'] === undefined ? {} : { SIGNALBOX_SCRIPT: settings['script'] }),
        },
      };
    },
    read: readLine,
    // Its last line says how its turn ended; an end without one is a crash, and that is the engine's to say.
    ended: () => null,
    encode: encodeOrder,
  };
}

/** The compiled program: Node 20 runs no TypeScript, so from the sources it is taken from the build beside them. */
function bundledAgent(): string {
  const here = import.meta.url;
  const url = here.endsWith('.ts') ? '../../../dist/harness/scripted/agent.js' : './agent.js';
  return fileURLToPath(new URL(url, here));
}
