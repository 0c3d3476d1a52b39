// The usage of the scripted agent: sums for its result lines, and an entry for each request to the model that it pretends to
// make. A request ends with a tool call's result, with the turn, or when a second step reports usage.

import type { Given } from '../steps/step-list.ts';

/** Below the agent's home: a line for each request; of several with one id the last counts. */
export const recordFile = 'usage.jsonl';

export interface Ledger {
  /** The id of the present request; starts one if there is none. */
  request(): string;
  speak(tokens: number): void;
  use(usage: Given<'usage'>): void;
  /** Writes down the usage of the present request so far. */
  keep(): void;
  close(): void;
  /** The fields of a result line; tokens are counted from zero afterwards. */
  read(): Readonly<Record<string, unknown>>;
}

interface Request {
  readonly id: string;
  /** A step reported usage. */
  used: boolean;
  readonly tokens: Tokens;
  costUsd: number | null;
}

type Tokens = Record<keyof typeof none, number>;

const none = { input_tokens: 0, output_tokens: 0, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };

export function createLedger(prefix: string, model: string, record: (line: string) => void): Ledger {
  let turn: Tokens = { ...none };
  let totalUsd: number | null = 0;
  let requests = 0;
  let open: Request | null = null;

  const request = (): Request => {
    if (open === null) {
      requests += 1;
      open = { id: `${prefix}_${requests}`, used: false, tokens: { ...none }, costUsd: 0 };
    }
    return open;
  };
  const add = (tokens: Partial<Tokens>): void => {
    const { tokens: own } = request();
    for (const [name, added] of Object.entries(tokens) as [keyof Tokens, number][]) {
      own[name] += added;
      turn[name] += added;
    }
  };
  const ledger: Ledger = {
    request: () => request().id,
    speak: (tokens) => add({ output_tokens: tokens }),
    use({ cost_usd: cost = 0, ...tokens }) {
      if (request().used) ledger.close();
      const now = request();
      now.used = true;
      add(tokens);
      // A sum with an unknown part stays unknown.
      now.costUsd = now.costUsd === null || cost === null ? null : now.costUsd + cost;
      totalUsd = totalUsd === null || cost === null ? null : totalUsd + cost;
      ledger.keep();
    },
    keep() {
      if (open === null) return;
      const { id, tokens, costUsd } = open;
      record(`${JSON.stringify({ id, model, usage: tokens, cost_usd: costUsd })}\n`);
    },
    close() {
      ledger.keep();
      open = null;
    },
    read() {
      ledger.close();
      const usage = turn;
      turn = { ...none };
      return { usage, ...(totalUsd === null ? {} : { total_cost_usd: totalUsd }) };
    },
  };
  return ledger;
}
