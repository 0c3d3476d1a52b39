// Which sealed event goes with an artifact: its maker's if one was named, else the newest with a good seal.

import { expect, it } from 'vitest';
import type { ArtifactId, RunId } from '../../model/core/ids.ts';
import type { StoredEvent } from '../../ports/journal.ts';
import { Fault } from '../../std/fault.ts';
import { envelopeOf, type Maker } from './artifact-envelope.ts';

const wanted = 'artifact_1';

const event = (stream: string, seq: number, taskId: string, more: object = {}): StoredEvent => {
  const data = JSON.stringify({ artifactId: wanted, taskId, ...more });
  return { stream, seq, at: 0, type: 'artifact.stored', data, prevHash: '', hash: '' };
};

async function found(streams: Readonly<Record<string, readonly StoredEvent[] | null>>, maker: Maker | null = null) {
  const journal = {
    heads: async () => Object.keys(streams).map((stream) => ({ stream, seq: 1, hash: '', open: false })),
    // One at a time: a short page is not the end.
    read: async (stream: string, after: number) => {
      const events = streams[stream];
      if (!events) throw new Fault('journal_corrupt', 'damaged');
      return events.filter(({ seq }) => seq > after).slice(0, 1);
    },
  };
  const source = {
    journal,
    envelope: ({ stream, seq, data }: StoredEvent) =>
      data.includes('bad') ? null : { sealed: `${stream}@${seq}`, signature: '', publicKey: '' },
  };
  return (await envelopeOf(source, wanted as ArtifactId, maker))?.sealed ?? null;
}

const maker = (runId: string, taskId: string): Maker => ({ runId: runId as RunId, taskId });

it('the newest run with a good seal of the artifact is used, skipping unreadable runs [SEAL-7]', async () => {
  const streams = {
    run_1: [event('run_1', 1, 'task_a'), event('run_1', 2, 'task_b')],
    run_2: [event('run_2', 1, 'task_c', { seal: 'bad' })],
    run_3: [event('run_3', 1, 'task_d', { artifactId: 'artifact_2', inputs: [wanted] })],
    run_4: null,
  };
  expect(await found(streams)).toBe('run_1@2');
  expect(await found({ run_2: streams.run_2, run_3: streams.run_3, run_4: null })).toBeNull();
});

it('an artifact that is named by its task comes from that task [SEAL-7]', async () => {
  const streams = {
    run_1: [
      event('run_1', 1, 'task_a'),
      event('run_1', 2, 'task_b'),
      event('run_1', 3, 'task_a'),
      event('run_1', 4, 'x'),
    ],
    run_2: [event('run_2', 1, 'task_a')],
  };
  expect(await found(streams, maker('run_1', 'task_a'))).toBe('run_1@3');
  expect(await found(streams, maker('run_1', 'task_z'))).toBeNull();
});
