// An agent that speaks JSON-RPC and hands out its ids only when asked passes what every harness passes: one folder, and one line in a
// list of harnesses.

import { expect, it } from 'vitest';
import { createHarnesses } from '../../../src/harness/harnesses.ts';
import { agentKinds } from '../../../src/harness/registry.ts';
import { harnessBehaves, offeredTools, type Subject } from '../../harness/behaviour.ts';
import { rpc } from '../../harness/rpc/rpc.ts';

const kinds = [...agentKinds, rpc];
const path = process.env['PATH'] ?? '';

harnessBehaves(
  'rpc',
  async (): Promise<Subject> => ({
    harness: await rpc.create({
      nodePath: process.execPath,
      binary: '',
      env: { PATH: path },
      tools: offeredTools,
      parkingTools: [],
    }),
    asking: { ask: 'yes' },
    prepare: (steps) => ({ prompt: 'act', settings: { script: JSON.stringify(steps) } }),
  }),
);

it('a harness is known by its line in the list alone [HAR-22]', async () => {
  const options = { agentPath: path, agentEnv: {}, programs: {} };
  const harnesses = await createHarnesses(kinds, options, { find: () => null });
  expect(harnesses.get('rpc')?.name).toBe('rpc');
  expect(harnesses.flaw('rpc', { script: '[]' })).toBe(null);
  expect(harnesses.flaw('rpc', { shell: 'x' })).toMatch(/no setting "shell"/);
  expect(harnesses.flaw('other', {})).toMatch(/there is: .*, rpc$/);
});
