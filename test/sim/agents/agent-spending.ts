// What a simulated agent uses: requests to the model, its own record of them, the sums in its results. Under a brake it asks
// between two requests whether it may go on.

import type { Refusal } from '../world/accounts.ts';
import type { SimProcess, World } from '../world/world.ts';

export interface Spending {
  /** Makes so many requests, one after the other; `end` is how that came out. */
  spend(requests: number, end: (how: SpendingEnd) => void): void;
  /** Under a brake from now on. */
  brake(): void;
  hear(requestId: string | undefined, answer: { readonly continue?: boolean } | undefined): void;
  /** The turn is broken off; false = there is none under way. */
  breakOff(): boolean;
  /** The part of a result line that says what the turn used. */
  told(): object;
}

export type SpendingEnd = { readonly kind: 'done' | 'stopped' } | { readonly kind: 'refused'; readonly by: Refusal };

export interface Spender {
  readonly home: string;
  /** To the service, and what it asks for there. */
  readonly line: string;
  readonly model: string;
  /** It continues once although it was told not to. */
  ignores: boolean;
  readonly say: (message: unknown) => void;
  readonly later: (action: () => void) => void;
}

export function createSpending(world: World, process: SimProcess, spender: Spender): Spending {
  const { chance, scheduler } = world;
  const { launchId } = process;
  const { say, later, model } = spender;
  const books = createBooks(world, process, spender);
  let braked = false;
  let rounds = 0;
  let turn = 0;
  let waiting: { readonly requestId: string; readonly next: (goOn: boolean) => void } | null = null;

  const refused = (by: Refusal, again: (() => void) | null, end: (how: SpendingEnd) => void): void => {
    world.note({ kind: 'refused', launchId, line: spender.line });
    if (by.quota) say(rejected(by));
    if (again === null || by.quota) return end({ kind: 'refused', by });
    say({ ...retry, error_status: by.status, retry_delay_ms: chance.int(300, 1_000) });
    later(again);
  };
  const round = (next: (goOn: boolean) => void): void => {
    if (!braked) return next(true);
    rounds += 1;
    const requestId = `round-${launchId}-${rounds}`;
    waiting = { requestId, next };
    const request = { subtype: 'hook_callback', callback_id: 'round', input: { hook_event_name: 'PostToolBatch' } };
    say({ type: 'control_request', request_id: requestId, request });
  };
  const request = (left: number, tries: number, end: (how: SpendingEnd) => void): void => {
    const own = turn;
    const during = (action: () => void) => (): void => (own === turn ? action() : undefined);
    const by = world.accounts.refusal(spender.line);
    if (by !== null) return refused(by, tries > 1 ? null : during(() => request(left, tries + 1, end)), end);
    const { id, usage } = books.use();
    say({ type: 'assistant', message: { id, model, content: [{ type: 'text', text: 'so' }], usage } });
    if (chance.hit(0.03)) say(chance.hit(0.3) ? lie : warned(scheduler.now));
    if (left <= 1) return later(during(() => end({ kind: 'done' })));
    const goOn = (may: boolean): void => (may ? request(left - 1, 1, end) : end({ kind: 'stopped' }));
    later(during(() => round((may) => later(during(() => goOn(may))))));
  };
  return {
    spend: (requests, end) => request(requests, 1, end),
    brake() {
      braked = true;
    },
    hear(requestId, answer) {
      if (waiting === null || waiting.requestId !== requestId) return;
      const { next } = waiting;
      waiting = null;
      const stopped = answer?.continue === false;
      if (stopped && spender.ignores) {
        spender.ignores = false;
        world.note({ kind: 'ignored', launchId });
        return next(true);
      }
      next(!stopped);
    },
    breakOff() {
      turn += 1;
      const waited = waiting !== null;
      waiting = null;
      return waited;
    },
    told() {
      turn += 1;
      return books.told();
    },
  };
}

interface Books {
  use(): { readonly id: string; readonly usage: object };
  told(): object;
}

/** Of a turn either every cost is known or none, as where one price is missing. */
function createBooks(world: World, process: SimProcess, { home, model }: Spender): Books {
  const { chance, scheduler } = world;
  const { launchId } = process;
  let requests = 0;
  let totalMicroUsd = 0;
  let turn = { input: 0, output: 0, read: 0, written: 0 };
  let costsKnown = chance.hit(0.9);
  let late: (() => void)[] = [];
  return {
    use() {
      requests += 1;
      const id = `request-${launchId}-${requests}`;
      const used = {
        input: chance.int(0, 999),
        output: chance.int(0, 999),
        read: chance.int(0, 9),
        written: chance.int(0, 9),
      };
      for (const name of Object.keys(used) as (keyof typeof used)[]) turn[name] += used[name];
      const costMicroUsd = costsKnown ? chance.int(0, 50) * 1_000 : null;
      totalMicroUsd += costMicroUsd ?? 0;
      const usage = usageOf(used);
      const entry = { id, model, usage, cost_usd: costMicroUsd === null ? null : costMicroUsd / 1e6 };
      let kept = false;
      const keep = (): void => {
        if (kept || process.state !== 'alive') return;
        kept = true;
        const memory = world.homes.get(home);
        if (memory !== undefined) memory.record += `${JSON.stringify(entry)}\n`;
        world.note({ kind: 'kept', launchId, ...used, costMicroUsd });
      };
      world.note({ kind: 'requested', launchId, ...used, costMicroUsd });
      // An entry may reach the disk a moment after what it is of, and then so do those behind it.
      late.push(keep);
      const keepAll = (): void => late.splice(0, late.indexOf(keep) + 1).forEach((each) => each());
      if (chance.hit(0.15)) scheduler.after(chance.int(1, 300), keepAll);
      else keepAll();
      return { id, usage };
    },
    told() {
      for (const keep of late.splice(0)) keep();
      const usage = usageOf(turn);
      turn = { input: 0, output: 0, read: 0, written: 0 };
      const fields = { usage, ...(costsKnown ? { total_cost_usd: totalMicroUsd / 1e6 } : {}) };
      costsKnown = chance.hit(0.9);
      late = [];
      return fields;
    },
  };
}

function usageOf({ input, output, read, written }: Record<'input' | 'output' | 'read' | 'written', number>): object {
  return {
    input_tokens: input,
    output_tokens: output,
    cache_read_input_tokens: read,
    cache_creation_input_tokens: written,
  };
}

const retry = { type: 'system', subtype: 'api_retry', attempt: 1, max_retries: 1, error: 'rate_limit' };

function rejected({ toldUntil }: Refusal): object {
  const resets = toldUntil === null ? {} : { resetsAt: toldUntil / 1_000 };
  return { type: 'rate_limit_event', rate_limit_info: { status: 'rejected', rateLimitType: 'five_hour', ...resets } };
}

/** An agent that was taken over claims that its account is used up for years, and goes on. */
const lie = rejected({ status: 429, quota: true, toldUntil: Date.UTC(2100, 0) });

function warned(now: number): object {
  const info = {
    status: 'allowed_warning',
    rateLimitType: 'five_hour',
    utilization: 0.8,
    resetsAt: Math.ceil(now / 1_000),
  };
  return { type: 'rate_limit_event', rate_limit_info: info };
}
