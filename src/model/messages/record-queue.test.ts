import { describe, expect, it } from 'vitest';
import type { Agent } from '../core/agent.ts';
import type { RecordId } from '../core/ids.ts';
import type { InputRecord } from './messages-state.ts';
import type { RecordBody } from './record-body.ts';
import { deferRecord, moveRecord, nextToWrite, queueInput, tryDeferred } from './record-queue.ts';

const said = (text: string): RecordBody => ({ kind: 'text', text });
const reply: RecordBody = { kind: 'record', record: '{}\n' };

function queue() {
  const agent = { id: 'agent_a', mailbox: { records: [] }, memory: { compaction: null } } as unknown as Agent;
  return {
    agent,
    put: (name: string, body: RecordBody) => {
      const record: InputRecord = { id: idOf(name), from: 'signalbox', body, state: 'queued' };
      queueInput(agent, record, true);
    },
    next: () => nextToWrite(agent)?.message.id.replace('record_', '') ?? null,
    wait: (name: string) => deferRecord(agent, idOf(name)),
    write: (name: string) => moveRecord(agent, idOf(name), 'written'),
  };
}

const idOf = (name: string): RecordId => `record_${name}`;

describe('a record that cannot be written yet', () => {
  it('lets pass what does not depend on it, and nothing that is said [HAR-22]', () => {
    const { put, next, wait, write } = queue();
    put('first', said('a'));
    put('second', said('b'));
    wait('first');
    expect(next()).toBe(null);
    put('third', said('c'));
    expect(next()).toBe(null);
    put('reply', reply);
    expect(next()).toBe('reply');
    write('reply');
    expect(next()).toBe(null);
  });

  it('is tried again in its order, behind what may be written in part by then [HAR-22]', () => {
    const { agent, put, next, wait, write } = queue();
    put('first', said('a'));
    wait('first');
    put('second', said('b'));
    put('reply', reply);
    expect(next()).toBe('reply');
    tryDeferred(agent);
    put('prompt', { kind: 'prompt' });
    const order: (string | null)[] = [];
    for (let name = next(); name !== null; name = next()) {
      order.push(name);
      write(name);
    }
    expect(order).toEqual(['reply', 'prompt', 'first', 'second']);
  });
});
