// What a session has used, read from its own record while it is followed.

import { describe, expect, it } from 'vitest';
import { watchLaunch } from '../../src/engine/watch/watch-launch.ts';
import type { Command } from '../../src/model/core/command.ts';
import type { AgentFact } from '../../src/model/session/agent-fact.ts';
import type { ModelUsage } from '../../src/model/spending/usage.ts';
import { openMemoryJournal } from '../../src/store/memory/memory-journal.ts';
import { attempt, launched, submitted, task } from '../model/story.ts';
import { alone, quietWorld } from './quiet-world.ts';

interface Scene {
  /** What each batch prints, and what the transcript holds by then. */
  readonly batches: readonly { readonly lines: readonly object[]; readonly record?: readonly object[] }[];
  /** Written while the meter waits for it. */
  readonly late?: readonly object[];
  readonly ended?: readonly ModelUsage[];
  /** What an earlier process was metered with. */
  readonly before?: readonly ModelUsage[];
  readonly price?: (model: string | null) => number | null;
}

/** Follows a launch of the scripted agent, and gives the facts of each command. */
async function follow({ batches, late = [], ended = [], before = [], price = () => null }: Scene) {
  const story = submitted(task('a'));
  launched(story, 'a');
  const { ports } = quietWorld(openMemoryJournal());
  const live = story.run.live.get(attempt('a'));
  const harness = ports.harness('scripted');
  const agent = live && story.run.agents.get(live.agentId);
  if (live === undefined || agent === undefined || harness === null) throw new Error('it is there');
  agent.spending.booked = ended;
  agent.spending.metered = before;
  if (live.launches.current !== null) live.launches.current = { ...live.launches.current, resume: before.length > 0 };
  const record: string[] = [];
  const asked: number[] = [];
  let clock = 0;
  const sent: (readonly AgentFact[])[] = [];
  const context = {
    ports: {
      ...ports,
      price,
      clock: {
        now: () => clock,
        wake(at: number, callback: () => void) {
          clock = at;
          record.push(...late.map((line) => JSON.stringify(line)));
          queueMicrotask(callback);
          return () => undefined;
        },
      },
      homes: {
        ...ports.homes,
        async tail(_agentId: string, path: string, offset: number) {
          expect(path).toBe('usage.jsonl');
          asked.push(offset);
          return { lines: record.slice(offset), end: record.length };
        },
      },
      launches: {
        ...ports.launches,
        async watch(_id: string, _offset: number, onLines: (batch: { lines: string[]; end: number }) => Promise<void>) {
          for (const [n, { lines, record: added = [] }] of batches.entries()) {
            record.push(...added.map((line) => JSON.stringify(line)));
            await onLines({ lines: lines.map((line) => JSON.stringify(line)), end: (n + 1) * 100 });
          }
          return { kind: 'ended', status: 0 } as const;
        },
      },
    },
    run: story.run,
    tell: () => undefined,
    follow: () => undefined,
    signal: new AbortController().signal,
    ...alone,
    async send(command: Command) {
      if (command.type !== 'output') throw new Error(command.type);
      sent.push(command.facts);
      for (const fact of command.facts) if (fact.kind === 'metered') agent.spending.metered = fact.parts;
      return { kind: 'accepted' } as const;
    },
  };
  const end = await watchLaunch(context, harness, live);
  return { sent, asked, end, waitedMs: clock };
}

const round = (id: string) => ({
  type: 'control_request',
  request_id: id,
  request: { subtype: 'hook_callback', callback_id: 'round' },
});
const answer = (id: string, model = 'm') => ({ type: 'assistant', message: { id, model, content: [] } });
const entry = (id: string, input: number, model = 'm') => ({ id, model, usage: { input_tokens: input } });
const result = { type: 'result', is_error: false, usage: { input_tokens: 1 }, num_turns: 1 };
const used = (inputTokens: number, turns: number, more: object = {}) => ({
  inputTokens,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  costMicroUsd: null,
  turns,
  ...more,
});

describe('metering', () => {
  it('reports usage before the question whether to go on, and reads only what is new [HAR-15]', async () => {
    const { sent, asked } = await follow({
      batches: [
        { lines: [answer('r1'), round('q1')], record: [entry('r1', 1), entry('r1', 5)] },
        { lines: [answer('r2'), round('q2')], record: [entry('r2', 7, 'n')] },
      ],
    });
    expect(sent).toEqual([
      [
        { kind: 'answered' },
        { kind: 'metered', parts: [{ model: 'm', usage: used(5, 1) }] },
        { kind: 'round', requestId: 'q1' },
      ],
      [
        {
          kind: 'metered',
          parts: [
            { model: 'm', usage: used(5, 1) },
            { model: 'n', usage: used(7, 1) },
          ],
        },
        { kind: 'round', requestId: 'q2' },
      ],
    ]);
    expect(asked).toEqual([0, 2, 2, 3, 3]);
  });

  it('waits until the newest request is in the transcript, and not for ever [HAR-15]', async () => {
    const batches = [{ lines: [answer('r1'), round('q1')] }];
    const { sent, waitedMs } = await follow({ batches, late: [entry('r1', 5)] });
    expect(sent[0]).toContainEqual({ kind: 'metered', parts: [{ model: 'm', usage: used(5, 1) }] });
    expect(waitedMs).toBe(20);
    const never = await follow({ batches });
    // It counts as it began.
    expect(never.sent[0]?.[1]).toEqual({ kind: 'metered', parts: [{ model: 'm', usage: used(0, 1) }] });
    expect(never.waitedMs).toBe(2_000);
  });

  it('counts the requests of a turn by the transcript, also unreported ones', async () => {
    const { sent } = await follow({
      batches: [{ lines: [answer('r3'), result], record: ['r1', 'r2', 'r3'].map((id) => entry(id, 1)) }],
      ended: [{ model: 'm', usage: used(1, 1) }],
    });
    expect(sent[0]?.map(({ kind }) => kind)).toEqual(['answered', 'metered', 'usage', 'turnEnded']);
    expect(sent[0]?.[2]).toMatchObject({ usage: { turns: 2 } });
  });

  it('books no usage of the next turn with this one, though both are read at once [BUD-10]', async () => {
    const { sent } = await follow({
      batches: [
        {
          lines: [answer('r1'), result, answer('r2'), round('q')],
          record: [entry('r1', 4), entry('r2', 7)],
        },
      ],
    });
    expect(sent[0]?.map(({ kind }) => kind)).toEqual(['answered', 'metered', 'usage', 'metered', 'turnEnded', 'round']);
    expect(sent[0]?.[1]).toEqual({ kind: 'metered', parts: [{ model: 'm', usage: used(4, 1) }] });
    expect(sent[0]?.[2]).toMatchObject({ usage: { turns: 1 } });
    expect(sent[0]?.[3]).toEqual({ kind: 'metered', parts: [{ model: 'm', usage: used(11, 2) }] });
  });

  it('counts no request in two turns, also with an outdated copy of the run', async () => {
    const { sent } = await follow({
      batches: [
        { lines: [answer('r1'), result], record: [entry('r1', 1)] },
        { lines: [answer('r3'), result], record: [entry('r2', 1), entry('r3', 1)] },
      ],
    });
    const turns = sent.flat().flatMap((fact) => (fact.kind === 'usage' ? [fact.usage.turns] : []));
    expect(turns).toEqual([1, 2]);
  });

  it('reports what a process that ended in the middle of a turn had used, once', async () => {
    const { sent, end } = await follow({
      batches: [{ lines: [answer('r1')], record: [entry('r1', 9)] }],
    });
    expect(sent).toEqual([[{ kind: 'answered' }], [{ kind: 'metered', parts: [{ model: 'm', usage: used(9, 1) }] }]]);
    expect(end).toMatchObject({ type: 'down' });
    const told = await follow({ batches: [{ lines: [answer('r1'), round('q')], record: [entry('r1', 9)] }] });
    expect(told.sent).toHaveLength(1);
  });

  it('goes on counting what an earlier process used and could not journal', async () => {
    const { sent } = await follow({
      batches: [{ lines: [answer('r3'), round('q')], record: [entry('r3', 4)] }],
      before: [{ model: 'm', usage: used(30, 2) }],
      ended: [{ model: 'm', usage: used(30, 2) }],
    });
    expect(sent[0]?.[1]).toEqual({ kind: 'metered', parts: [{ model: 'm', usage: used(34, 3) }] });
  });

  it('estimates unreported costs, and leaves models without a price unknown', async () => {
    const price = (model: string | null) => (model === 'm' ? 40 : null);
    const record = [entry('r1', 9), entry('r2', 3, 'n'), { ...entry('r3', 1, 'p'), cost_usd: 0.25 }];
    const { sent } = await follow({ batches: [{ lines: [answer('r3'), round('q')], record }], price });
    expect(sent[0]?.[1]).toEqual({
      kind: 'metered',
      parts: [
        { model: 'm', usage: used(9, 1, { costMicroUsd: 40, estimated: true }) },
        { model: 'n', usage: used(3, 1) },
        { model: 'p', usage: used(1, 1, { costMicroUsd: 250_000 }) },
      ],
    });
  });

  it('turns a delay into a time', async () => {
    const retry = { type: 'system', subtype: 'api_retry', attempt: 1, retry_delay_ms: 30_000, error_status: 429 };
    const { sent } = await follow({ batches: [{ lines: [retry] }] });
    expect(sent).toEqual([[{ kind: 'limited', limit: 'rate', untilMs: 30_000 }]]);
  });
});
