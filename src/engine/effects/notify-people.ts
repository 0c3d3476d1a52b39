// Sends people their notifications, one after the other, and confirms each in the journal. After a crash in between a
// notification is sent again under the same key: better twice than never.

import type { Notice } from '../../model/asks/notices.ts';
import type { Host } from '../../model/host/host.ts';
import type { Ports } from '../../ports/engine-ports.ts';
import type { HostOrders } from '../host-orders.ts';

export interface Notifying {
  /** Sends the next notification, unless one is being sent. */
  start(host: Host): void;
  drained(): Promise<void>;
}

export function createNotifying(
  ports: Pick<Ports, 'notifier' | 'log' | 'clock'>,
  confirm: HostOrders['noticeSent'],
  signal: AbortSignal,
  onEnd: () => void,
): Notifying {
  let telling: Promise<void> | null = null;
  /** Sent by this engine, also where the journal could not record it. */
  const told = new Map<string, string | null>();
  const tell = async (notice: Notice): Promise<void> => {
    const flaw = told.get(notice.key) ?? (told.has(notice.key) ? null : await ports.notifier.tell(notice, signal));
    if (signal.aborted) return;
    told.set(notice.key, flaw);
    await confirm(notice.key, flaw);
    told.delete(notice.key);
  };
  /** The next one may start right away. */
  const goOn = (afterMs: number): void => {
    telling = null;
    if (signal.aborted) return;
    if (afterMs === 0) onEnd();
    else ports.clock.wake(ports.clock.now() + afterMs, onEnd);
  };
  return {
    start({ notices }) {
      if (telling !== null || notices.size === 0 || signal.aborted) return;
      const [next] = questionsFirst(notices.values());
      if (next === undefined) return;
      telling = tell(next).then(
        () => goOn(0),
        (error: unknown) => {
          if (!signal.aborted) ports.log.warn('notice not told', { key: next.key, error: String(error) });
          // Retry, but not at once.
          goOn(againMs);
        },
      );
    },
    async drained() {
      await telling;
    },
  };
}

const againMs = 1_000;

/** Questions come first, because people answer them. */
function questionsFirst(notices: Iterable<Notice>): Notice[] {
  const all = [...notices];
  const asks = all.filter(({ key }) => key.startsWith('asks '));
  return asks.length > 0 ? asks : all;
}
