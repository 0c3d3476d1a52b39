// What the engine stores of artifacts carries a seal for the very place at which it is stored, also where another writer was first.

import { generateKeyPairSync } from 'node:crypto';
import { expect, it } from 'vitest';
import { createSealJudge } from '../../src/audit/event-seals.ts';
import { startEngine } from '../../src/engine/engine.ts';
import { isSealed } from '../../src/engine/seal-events.ts';
import { sealText } from '../../src/git/signing/ssh-signature.ts';
import type { Seal } from '../../src/ports/engine-ports.ts';
import type { Journal, StoredEvent } from '../../src/ports/journal.ts';
import { openMemoryJournal } from '../../src/store/memory/memory-journal.ts';
import { until } from '../until.ts';
import { options, quietWorld, submit } from './quiet-world.ts';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');

/** Of a run whose one agent ends and leaves a changed file. */
async function sealedEvents(journal: Journal, seal: Seal): Promise<readonly StoredEvent[]> {
  const { ports } = quietWorld(journal);
  const engine = await startEngine(
    {
      ...ports,
      seal,
      launches: { ...ports.launches, watch: async () => ({ kind: 'ended', status: 0 }) },
      workspaces: {
        ...ports.workspaces,
        save: async () => ({ ref: 'r', commit: 'c', files: [{ path: 'a', status: 'added', blob: 'b' }] }),
      },
    },
    options,
  );
  const found = async () => (await journal.read('run_a', 0, 1_000)).filter(({ type }) => isSealed(type));
  try {
    await engine.send(...submit('a', '1'));
    return await until(
      async () => {
        const events = await found();
        return events.length === 0 ? undefined : events;
      },
      { what: 'an artifact is stored' },
    );
  } finally {
    await engine.stop();
  }
}

/** Before the first append with something sealed in it another writer adds an event to the same run. */
function contended(journal: Journal): Journal & { conflicts: number } {
  const wrapped = {
    ...journal,
    conflicts: 0,
    async append(parts: Parameters<Journal['append']>[0]) {
      const part = parts.find(({ events }) => events.some(({ type }) => isSealed(type)));
      if (part !== undefined && wrapped.conflicts === 0) {
        wrapped.conflicts += 1;
        const { stream, expected, at } = part;
        const events = [{ type: 'run.stopAsked', data: JSON.stringify({ by: 'eve' }) }];
        expect(await journal.append([{ stream, expected, at, events, open: true }])).toEqual({ kind: 'appended' });
      }
      return journal.append(parts);
    },
  };
  return wrapped;
}

it("an artifact's seal covers its place in the journal [SEAL-1]", async () => {
  const events = await sealedEvents(openMemoryJournal(), (text) => sealText(privateKey, text));
  expect(events.map(createSealJudge(publicKey))).toEqual(['good']);
});

it('a decision that is taken again after a conflict is sealed again [SEAL-5]', async () => {
  const journal = contended(openMemoryJournal());
  const texts: string[] = [];
  const events = await sealedEvents(journal, (text) => {
    texts.push(text);
    return sealText(privateKey, text);
  });
  expect(journal.conflicts).toBe(1);
  expect(events.map(createSealJudge(publicKey))).toEqual(['good']);
  const numbers = texts.map((text) => (JSON.parse(text) as { seq: number }).seq);
  expect(numbers).toEqual([(events[0]?.seq ?? 0) - 1, events[0]?.seq]);
});

it('without a key the journal goes on without seals [SEAL-6]', async () => {
  const [event] = await sealedEvents(openMemoryJournal(), () => null);
  expect(JSON.parse(event?.data ?? '')).not.toHaveProperty('seal');
});
