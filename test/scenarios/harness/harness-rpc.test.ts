// An agent that speaks JSON-RPC and hands out its ids only when asked passes what every harness passes.

import { harnessBehaves, offeredTools, type Subject } from '../../harness/behaviour.ts';
import { createRpc } from '../../harness/rpc/rpc.ts';

harnessBehaves(
  'rpc',
  async (): Promise<Subject> => ({
    harness: createRpc(
      process.execPath,
      offeredTools.map(({ name }) => name),
    ),
    asking: { ask: 'yes' },
    prepare: (steps) => ({ prompt: 'act', settings: { script: JSON.stringify(steps) } }),
  }),
);
