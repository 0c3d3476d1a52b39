// The bundled scripted agent passes what every harness passes.

import { createScripted } from '../../../src/harness/scripted/scripted.ts';
import { harnessBehaves, type Subject } from '../../harness/behaviour.ts';

harnessBehaves(
  'scripted',
  async (): Promise<Subject> => ({
    harness: createScripted(process.execPath),
    asking: { ask: 'yes' },
    prepare: (steps) => ({ prompt: 'act', settings: { script: JSON.stringify(steps) } }),
  }),
);
