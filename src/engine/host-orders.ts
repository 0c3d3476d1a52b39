// Orders of people that concern the host and no single run. They wait for the tick like all else that comes in.

import type { HostEventBody } from '../model/host-events.ts';
import type { Budget } from '../model/spending/budget.ts';

export interface HostOrders {
  /** Resolves when it is in the journal. */
  setDayBudget(budget: Budget, by: string): Promise<void>;
  take(): HostOrder[];
  /** What waits, and all that comes later, fails with `error`. */
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
  return {
    setDayBudget(budget, by) {
      if (closed !== null) return Promise.reject(closed.error);
      return new Promise((answer, fail) => {
        orders.push({ event: { type: 'day.budget', budget, by }, answer, fail });
        onOrder();
      });
    },
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
