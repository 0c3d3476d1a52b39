// A harness whose agents hand out thread ids: what is said to one has to carry the newest, and before the first there is nothing
// that can be said. Otherwise it is the scripted one.

import type { Harness, Order } from '../../../src/ports/harness.ts';

interface State {
  readonly thread: string | null;
  readonly inner: string;
}

export function withThreads(harness: Harness): Harness {
  return {
    ...harness,
    initial: (agent) => format({ thread: null, inner: harness.initial(agent) }),
    read(state, line) {
      const { thread, inner } = parse(state);
      const named = threadIn(line);
      if (named !== null) {
        return {
          state: format({ thread: named.thread, inner }),
          events: [{ kind: 'session', session: named.session }],
          replies: [],
        };
      }
      const step = harness.read(inner, line);
      return { ...step, state: format({ thread, inner: step.state }) };
    },
    ended: (state, status) => harness.ended(parse(state).inner, status),
    inFlight: (state) => harness.inFlight(parse(state).inner),
    ...(harness.meter === undefined
      ? {}
      : { meter: { ...harness.meter, awaited: (state) => harness.meter?.awaited(parse(state).inner) ?? null } }),
    encode(state, order, agent) {
      const { thread, inner } = parse(state);
      const made = harness.encode(inner, order, agent);
      if (!carriesThread(order) || made === 'notYet') return made;
      if (thread === null) return 'notYet';
      const record = `${JSON.stringify({ ...(JSON.parse(made.record) as object), thread })}\n`;
      return { record, pinned: format({ thread, inner: '{}' }) };
    },
  };
}

/** What an agent says to hand one out. */
export function threadLine(thread: string, session: string): object {
  return { type: 'thread', thread, session };
}

function carriesThread({ body }: Order): boolean {
  return body.kind === 'text' || body.kind === 'compact' || body.kind === 'interrupt';
}

function threadIn(line: string): { thread: string; session: string } | null {
  return line.startsWith('{"type":"thread"') ? (JSON.parse(line) as { thread: string; session: string }) : null;
}

function parse(state: string): State {
  return JSON.parse(state) as State;
}

function format(state: State): string {
  return JSON.stringify(state);
}
