import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../model/session/agent-fact.ts';
import { addUsage, noUsage, type UsageTotal } from '../../model/spending/usage.ts';
import { initialState, readLine } from './codec.ts';

function usagesOf(lines: readonly object[]) {
  let state = initialState;
  const events: AgentEvent[] = [];
  for (const line of lines) {
    const step = readLine(state, JSON.stringify(line));
    state = step.state;
    events.push(...step.events);
  }
  return { state, usages: events.flatMap((event) => (event.kind === 'usage' ? [event] : [])) };
}

const used = (inputTokens: number, outputTokens: number, costUSD: number) => ({ inputTokens, outputTokens, costUSD });
const result = (total: number | undefined, modelUsage?: object, usage?: object) => ({
  type: 'result',
  is_error: false,
  total_cost_usd: total,
  modelUsage,
  usage,
});
const answer = (id: string, model?: string) => ({ type: 'assistant', message: { id, model, content: [] } });

describe('the usage of a turn', () => {
  it('is reported for each model, and from there on in the next turn [HAR-12]', () => {
    const { usages } = usagesOf([
      result(0.003, { big: used(10, 5, 0.002), small: used(7, 1, 0.001) }),
      result(0.004, { big: used(10, 5, 0.002), small: used(9, 2, 0.002) }),
    ]);
    expect(usages).toMatchObject([
      { model: 'big', usage: { inputTokens: 10, outputTokens: 5, costMicroUsd: 2_000 } },
      { model: 'small', usage: { inputTokens: 7, outputTokens: 1, costMicroUsd: 1_000 } },
      { model: 'small', usage: { inputTokens: 2, outputTokens: 1, costMicroUsd: 1_000 } },
    ]);
  });

  it('counts requests by the ids of answers, not the turns that a result claims', () => {
    const { usages } = usagesOf([
      answer('a', 'big'),
      answer('a', 'big'),
      answer('b', 'small'),
      answer('a', 'big'),
      { ...result(0.003, { 'big[1m]': used(10, 5, 0.002), small: used(7, 1, 0.001) }), num_turns: 9 },
      answer('b', 'small'),
      answer('c', 'small'),
      result(0.003, { 'big[1m]': used(10, 5, 0.002), small: used(8, 1, 0.001) }),
    ]);
    expect(usages.map(({ model, usage }) => [model, usage.turns])).toEqual([
      ['big', 1],
      ['small', 1],
      ['small', 1],
    ]);
  });

  it('belongs to the model that was started if none is named', () => {
    const init = { type: 'system', subtype: 'init', model: 'big[1m]' };
    const { usages } = usagesOf([init, answer('a'), result(0.01, undefined, { input_tokens: 3 })]);
    expect(usages).toMatchObject([{ model: 'big', usage: { inputTokens: 3, costMicroUsd: 10_000, turns: 1 } }]);
  });

  it('has an unknown cost in every part if no cost was reported', () => {
    const { usages } = usagesOf([result(undefined, { big: used(1, 1, 0.1), small: used(1, 1, 0.1) })]);
    expect(usages.map(({ usage }) => usage.costMicroUsd)).toEqual([null, null]);
  });

  it("adds up exactly, whatever the parts' costs are [HAR-12]", () => {
    const count = fc.nat(1_000_000);
    const turn = fc.record({
      cost: fc.nat(9_999_999),
      models: fc.array(
        fc.tuple(fc.constantFrom('a', 'b', 'c', '__proto__'), count, count, fc.double({ min: 0, max: 9 })),
      ),
    });
    fc.assert(
      fc.property(fc.array(turn, { maxLength: 5 }), (turns) => {
        const sums = new Map<string, { inputTokens: number; outputTokens: number; costUSD: number }>();
        let micro = 0;
        const whole = { inputTokens: 0, outputTokens: 0 };
        const lines = turns.map(({ cost, models }) => {
          micro += cost;
          for (const [name, input, output, price] of models) {
            const before = sums.get(name) ?? used(0, 0, 0);
            sums.set(name, used(before.inputTokens + input, before.outputTokens + output, before.costUSD + price));
            whole.inputTokens += input;
            whole.outputTokens += output;
          }
          return result(micro / 1e6, Object.fromEntries(sums));
        });
        const total: UsageTotal = noUsage();
        const { usages } = usagesOf(lines);
        for (const { usage } of usages) addUsage(total, usage);
        expect(total).toMatchObject({ ...whole, costMicroUsd: micro, unknownCosts: 0 });
        expect(usages.every(({ usage }) => (usage.costMicroUsd ?? -1) >= 0)).toBe(true);
      }),
    );
  });

  it('stays small with many models', () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`${n}${'x'.repeat(300)}`, used(1, 1, 0)]));
    const { state, usages } = usagesOf([result(0, many)]);
    expect(usages.reduce((sum, { usage }) => sum + usage.inputTokens, 0)).toBe(500);
    expect(state.length).toBeLessThan(2_000);
  });
});
