// Any change of a sealed event makes its seal bad; and for a missing seal the judge says whether that is a defect.

import { generateKeyPairSync, sign } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sealIfDue } from '../engine/seal-events.ts';
import { sealText, signText } from '../git/signing/ssh-signature.ts';
import type { Message } from '../model/messages/message.ts';
import type { StoredEvent } from '../ports/journal.ts';
import { type SealableEvent, sealedText, sealOf, withSeal } from '../store/sealed-text.ts';
import { emptyReport } from './audit-report.ts';
import { auditSeals, createSealJudge, type SealRecord, type SealState } from './event-seals.ts';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const other = generateKeyPairSync('ed25519');
const seal = (text: string): string => sealText(privateKey, text);

const data = {
  artifactId: 'artifact_1',
  kind: 'report',
  agentId: 'agent_a-1',
  text: 'the body',
  inputs: ['artifact_0'],
};
const plain = (more: Partial<SealableEvent> = {}): SealableEvent => ({
  stream: 'run_1',
  seq: 7,
  at: 1_700_000_000_000,
  type: 'artifact.stored',
  data: JSON.stringify(data),
  ...more,
});

const stored = (event: SealableEvent): StoredEvent => ({ ...event, prevHash: '', hash: '' });
const sealed = (event = plain(), by = seal): StoredEvent => stored({ ...event, ...sealIfDue(event, by) });
const judged = (...events: readonly StoredEvent[]): (SealState | null)[] => events.map(createSealJudge(publicKey));

const edited = (event: StoredEvent, edit: (data: Record<string, unknown>) => object): StoredEvent => ({
  ...event,
  data: JSON.stringify(edit(JSON.parse(event.data) as Record<string, unknown>)),
});

describe('a seal', () => {
  it('is good on its own event, whatever the order of the keys [SEAL-1]', () => {
    const event = sealed();
    expect(sealOf(event)).toMatch(/^[A-Za-z0-9+/]{86}==$/);
    expect(JSON.parse(event.data)).toEqual({ ...data, seal: sealOf(event) });
    expect(sealed()).toEqual(event);
    const turned = edited(event, (all) => Object.fromEntries(Object.entries(all).reverse()));
    expect(turned.data).not.toBe(event.data);
    expect(judged(event, turned)).toEqual(['good', 'good']);
  });

  const tampered: readonly (readonly [string, (event: StoredEvent) => StoredEvent])[] = [
    ['one byte of the body', (event) => edited(event, (all) => ({ ...all, text: 'the bodz' }))],
    ['the sender', (event) => edited(event, (all) => ({ ...all, agentId: 'agent_b-1' }))],
    ['the time', (event) => ({ ...event, at: event.at + 1 })],
    ['the number', (event) => ({ ...event, seq: event.seq + 1 })],
    ['the run', (event) => ({ ...event, stream: 'run_2' })],
    ['the type', (event) => ({ ...event, type: 'artifact.stored@2' })],
    ['something that was added', (event) => edited(event, (all) => ({ ...all, more: null }))],
    ['something that was taken away', (event) => edited(event, ({ inputs: _, ...all }) => all)],
    ['a number that became a text', (event) => edited(event, (all) => ({ ...all, inputs: 'artifact_0' }))],
    ['a time and number within the data', (event) => edited(event, (all) => ({ ...all, seq: 7, at: event.at }))],
    ['the seal, for what is none', (event) => edited(event, (all) => ({ ...all, seal: 7 }))],
    ['the seal, for an empty one', (event) => edited(event, (all) => ({ ...all, seal: '' }))],
    [
      'the seal, written in another way',
      (event) => edited(event, (all) => ({ ...all, seal: `${String(all['seal'])}\n` })),
    ],
  ];
  it.each(tampered)('is bad after %s was changed [SEAL-2]', (_, change) => {
    const event = sealed();
    const changed = change(event);
    expect(changed).not.toEqual(event);
    expect(judged(changed)).toEqual(['bad']);
  });

  const message: Message = {
    id: 'message_1',
    from: 'agent_a-1',
    fromName: 'a',
    to: 'task_b',
    kind: 'message',
    trust: 'agent',
    text: 'the body',
    chain: ['lead'],
    hops: 1,
    at: 1,
  };
  const forged: Partial<Message>[] = [
    { text: 'the bodz' },
    { from: 'agent_b-1' },
    { fromName: 'lead' },
    { to: 'task_c' },
    { kind: 'answer' },
    { trust: 'person' },
    { chain: [] },
    { hops: 0 },
    { at: 2 },
    { data: null },
  ];
  it.each(forged)('of a message is bad after its envelope or text was changed: %o [SEAL-1] [SEAL-2]', (change) => {
    const event = sealed(plain({ type: 'message.sent', data: JSON.stringify({ message }) }));
    expect(judged(event)).toEqual(['good']);
    expect(judged(edited(event, (all) => ({ ...all, message: { ...message, ...change } })))).toEqual(['bad']);
  });

  it('is bad on another event, and by another key [SEAL-2]', () => {
    const [one, two] = [sealed(), sealed(plain({ seq: 8 }))];
    const swap = (onto: StoredEvent, from: StoredEvent): StoredEvent => ({
      ...onto,
      data: withSeal(onto.data, sealOf(from) ?? ''),
    });
    expect(judged(one, two)).toEqual(['good', 'good']);
    expect(judged(swap(one, two), swap(two, one))).toEqual(['bad', 'bad']);
    expect(judged(sealed(plain(), (text) => sealText(other.privateKey, text)))).toEqual(['bad']);
  });

  it('that was made for a commit or a plain text is bad [SEAL-2]', () => {
    const event = plain();
    const text = Buffer.from(sealedText(event));
    const lines = signText(privateKey, text).trim().split('\n').slice(1, -1);
    const forCommit = Buffer.from(lines.join(''), 'base64').subarray(-64).toString('base64');
    const bare = sign(null, text, privateKey).toString('base64');
    for (const wrong of [forCommit, bare]) {
      expect(judged(stored({ ...event, data: withSeal(event.data, wrong) }))).toEqual(['bad']);
    }
  });

  it('is good for any event data, and bad after any stored byte was changed [SEAL-1] [SEAL-2]', () => {
    const anything = fc.dictionary(
      fc.string({ unit: 'binary' }).filter((key) => key !== 'seal'),
      fc.jsonValue({ maxDepth: 3 }),
      { maxKeys: 5 },
    );
    fc.assert(
      fc.property(anything, fc.nat(), fc.integer({ min: 1, max: 127 }), (all, place, flip) => {
        const event = sealed(plain({ data: JSON.stringify(all) }));
        expect(judged(event)).toEqual(['good']);
        const bytes = Buffer.from(event.data);
        const at = place % bytes.length;
        bytes[at] = (bytes[at] ?? 0) ^ flip;
        const changed = { ...event, data: bytes.toString() };
        const value = valueOf(changed.data);
        // An event that cannot be parsed at all is reported before seals are checked.
        if (value === null || JSON.stringify(value) === JSON.stringify(valueOf(event.data))) return;
        expect(judged(changed)).not.toEqual(['good']);
      }),
      { numRuns: 300 },
    );
  });
});

function valueOf(text: string): object | null {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}

describe('an event without a seal', () => {
  const bare = (seq: number): StoredEvent => stored(plain({ seq }));

  it('is reported as older if no earlier event has one, and as missing otherwise [SEAL-4]', () => {
    expect(judged(bare(1), bare(2), sealed(), bare(8))).toEqual(['older', 'older', 'good', 'missing']);
    expect(
      judged(
        sealed(),
        edited(sealed(plain({ seq: 8 })), ({ seal: _, ...all }) => all),
      ),
    ).toEqual(['good', 'missing']);
  });

  it('of another type is not checked', () => {
    expect(judged(stored(plain({ type: 'task.due' })))).toEqual([null]);
    expect(sealIfDue(plain({ type: 'task.due' }), seal)).toEqual({ type: 'task.due', data: plain().data });
    expect(sealIfDue(plain(), () => null)).toEqual({ type: 'artifact.stored', data: plain().data });
  });

  it('cannot be judged without a key', () => {
    expect([sealed()].map(createSealJudge(null))).toEqual(['unknown']);
  });
});

describe('a report on seals', () => {
  const told = (...states: SealState[]) => {
    const seals = states.map(
      (state, i): SealRecord => ({ seq: i + 1, state, about: `report of "t${i}"`, attemptId: null }),
    );
    const report = emptyReport();
    auditSeals('run_1', seals, publicKey, report);
    return report;
  };

  it('says how many are good, which is bad, and what that means [SEAL-3]', () => {
    const { verified, unchecked, defects } = told('good', 'bad', 'good', 'missing');
    expect(verified).toEqual([{ what: 'run_1', detail: expect.stringMatching(/^2 valid seals, key SHA256:/) }]);
    expect(unchecked).toEqual([]);
    expect(defects).toEqual([
      { what: 'run_1 event 4', detail: 'has no seal: report of "t3"', means: expect.stringContaining('was removed') },
      {
        what: 'run_1 event 2',
        detail: 'has an invalid seal: report of "t1"',
        means: expect.stringContaining('changed after Signalbox recorded it'),
      },
    ]);
  });

  it('says that the key may be another one if no seal is good [SEAL-3]', () => {
    expect(told('bad', 'bad').defects.map(({ means }) => means)).toEqual([
      expect.stringContaining('recorded with another key'),
      expect.stringContaining('recorded with another key'),
    ]);
    const [defect] = told('unknown').defects;
    expect(defect?.detail).toBe(
      'the seals of event 1 (report of "t0") cannot be checked: this home has no signing key',
    );
  });

  it('says that nothing vouches for an older journal, and reports no defect [SEAL-4]', () => {
    const { verified, unchecked, defects } = told('older', 'older', 'older', 'older', 'older', 'older', 'older');
    expect([verified, defects]).toEqual([[], []]);
    expect(unchecked).toHaveLength(1);
    expect(unchecked[0]?.detail).toMatch(/^no seal on event 1 \(.*\) and 2 more: recorded before/);
    expect(told()).toEqual(emptyReport());
  });
});
