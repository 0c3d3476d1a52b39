import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../model/session/agent-fact.ts';
import { initialState, readLine } from './codec.ts';

const kinds = ['answered', 'limited', 'allowance'];

function toldIn(...lines: readonly object[]): AgentEvent[] {
  let state = initialState;
  return lines
    .flatMap((line) => {
      const step = readLine(state, JSON.stringify(line));
      state = step.state;
      return step.events;
    })
    .filter(({ kind }) => kinds.includes(kind));
}

const retry = (error_status: number | null, more: object = {}) => ({
  type: 'system',
  subtype: 'api_retry',
  attempt: 1,
  retry_delay_ms: 530.5,
  error_status,
  ...more,
});
const says = { type: 'assistant', message: { content: [{ type: 'text', text: 'hi' }] } };
const complains = (error: string) => ({ ...says, error });
const failed = (api_error_status: number | null) => ({ type: 'result', is_error: true, api_error_status });
const limited = (limit: string, untilMs: number | null = null) => ({ kind: 'limited', limit, untilMs });
const answered = { kind: 'answered' };

describe('limits of the service', () => {
  it.each([
    [429, [limited('rate')]],
    [529, [limited('rate')]],
    [500, [limited('unavailable')]],
    [503, [limited('unavailable')]],
    [null, [limited('unavailable')]],
    [401, []],
  ])('a retry after %s reports its limit once in a turn [HAR-13]', (status, told) => {
    const lines = [retry(status), retry(status, { attempt: 2 }), failed(status)];
    expect(toldIn(...lines)).toEqual(told);
    expect(toldIn(...lines, ...lines)).toEqual([...told, ...told]);
  });

  it('an answer is reported once per process, and once after a limit [HAR-13]', () => {
    expect(toldIn(says, says, retry(429), says, says)).toEqual([answered, limited('rate'), answered]);
    expect(toldIn(complains('rate_limit'), { ...says, message: { model: '<synthetic>', content: [] } })).toEqual([]);
  });

  it('a delay far beyond the usual counts as set by the service', () => {
    const told = toldIn(retry(429, { retry_delay_ms: 30_000 }));
    expect(told).toEqual([{ ...limited('rate'), waitMs: 30_000 }]);
    expect(toldIn(retry(429, { attempt: 6, retry_delay_ms: 17_200 }))).toEqual([limited('rate')]);
  });

  it.each([
    [complains('rate_limit'), 429, [limited('rate')]],
    [complains('overloaded'), null, [limited('rate')]],
    [complains('server_error'), 500, [limited('unavailable')]],
    [complains('server_error'), null, [limited('unavailable')]],
    [complains('invalid_request'), 400, []],
  ])('a turn that failed with %j without a retry reports it', (complaint, status, told) => {
    expect(toldIn(complaint, failed(status))).toEqual(told);
  });

  it('an exhausted quota is reported with its reset time and which allowance is used', () => {
    const info = { status: 'rejected', resetsAt: 1_900_000_000, rateLimitType: 'five_hour' };
    const allowance = { kind: 'allowance', of: 'five_hour', used: 1, resetsAtMs: 1_900_000_000_000 };
    expect(toldIn({ type: 'rate_limit_event', rate_limit_info: info }, failed(429))).toEqual([
      allowance,
      limited('quota', 1_900_000_000_000),
    ]);
    const warning = { status: 'allowed_warning', utilization: 0.85, rateLimitType: 'seven_day' };
    expect(toldIn({ type: 'rate_limit_event', rate_limit_info: warning })).toEqual([
      { kind: 'allowance', of: 'seven_day', used: 0.85, resetsAtMs: null },
    ]);
  });

  it('a vague error after retries without an answer is a failing service', () => {
    let state = initialState;
    let last: AgentEvent | undefined;
    for (const line of [retry(null, { error: 'unknown' }), complains('unknown'), failed(null)]) {
      const step = readLine(state, JSON.stringify(line));
      state = step.state;
      last = step.events.at(-1);
    }
    expect(last).toMatchObject({ kind: 'turnEnded', turn: { failure: { reason: 'unavailable' } } });
  });
});
