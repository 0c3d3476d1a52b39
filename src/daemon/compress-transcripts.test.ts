import { expect, it } from 'vitest';
import type { Engine } from '../engine/engine.ts';
import { keepTranscripts } from './compress-transcripts.ts';

it('a launch that cannot be read keeps no other transcript from being compressed [PROC-9]', async () => {
  const stop = new AbortController();
  const compressed: string[] = [];
  const warned: unknown[] = [];
  const engine = {
    look: async (read: (ledger: { runs: Map<string, unknown> }) => unknown) => read({ runs: new Map() }),
  };
  await keepTranscripts({
    engine: engine as unknown as Engine,
    launches: {
      list: async () => ['bad', 'good'],
      async look(launchId) {
        if (launchId === 'bad') throw new Error('its processes do not die');
        return { kind: 'ended', status: 0 };
      },
      async compress(launchId) {
        compressed.push(launchId);
        stop.abort();
      },
    },
    log: {
      info() {},
      warn: (_message, { launchId }) => {
        warned.push(launchId);
        if (warned.length > 3) stop.abort();
      },
    },
    everyMs: 1,
    signal: stop.signal,
  });
  expect(compressed).toEqual(['good']);
  expect(warned).toEqual(['bad']);
});
