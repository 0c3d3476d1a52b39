// Commands that concern the host and no single run: orders of people, and confirmed notifications. They wait for the
// tick like all others.

import type { Host } from '../model/host/host.ts';
import type { HostEventBody } from '../model/host/host-events.ts';
import type { Budget } from '../model/spending/budget.ts';

export interface HostOrders {
  /** What all runs together may spend in a day; an empty budget is no limit. Resolves when it is in the journal. */
  setDayBudget(budget: Budget, by: string): Promise<void>;
  /** Holds all agents, or lets them go on. Resolves when it is in the journal. */
  /** Forgets what agents reported of a limit of this line. Resolves when it is in the journal. */
  clearLine(name: string, by: string): Promise<void>;
  pauseAll(by: string): Promise<void>;
  unpauseAll(by: string): Promise<void>;
  /** Confirms that people were notified. Resolves when that is in the journal. */
  noticeSent(key: string, flaw: string | null): Promise<void>;
  take(): HostOrder[];
  /** Everything that waits, and everything that comes later, fails with `error`. */
  close(error: unknown): void;
}

export interface HostOrder {
  readonly event: HostEventBody;
  readonly answer: () => void;
  readonly fail: (error: unknown) => void;
}

export function createHostOrders(onOrder: () => void): HostOrders {
  let orders: HostOrder[] = [];
  let closed: { readonly error: unknown } | null = null;
  const order = (event: HostEventBody): Promise<void> => {
    if (closed !== null) return Promise.reject(closed.error);
    return new Promise((answer, fail) => {
      orders.push({ event, answer, fail });
      onOrder();
    });
  };
  return {
    setDayBudget: (budget, by) => order({ type: 'day.budget', budget, by }),
    clearLine: (name, by) => order({ type: 'line.set', name, line: null, by }),
    pauseAll: (by) => order({ type: 'host.paused', by }),
    unpauseAll: (by) => order({ type: 'host.unpaused', by }),
    noticeSent: (key, flaw) => order({ type: 'notice.sent', key, ...(flaw === null ? {} : { flaw }) }),
    take() {
      const taken = orders;
      orders = [];
      return taken;
    },
    close(error) {
      closed = { error };
      for (const { fail } of orders) fail(error);
      orders = [];
    },
  };
}

/** Another engine may have confirmed it, or the journal may have stored it although the append failed. */
export function isNews(host: Host, event: HostOrder['event']): boolean {
  if (event.type === 'host.paused') return host.paused === null;
  if (event.type === 'line.set') return host.lines[event.name] !== undefined;
  if (event.type === 'host.unpaused') return host.paused !== null;
  return event.type !== 'notice.sent' || host.notices.has(event.key);
}
