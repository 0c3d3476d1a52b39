// Views of accounts: usage as reported by agents, and services that refuse requests at the moment.

import type { Host } from '../../model/host/host.ts';
import { isOver } from '../../model/spending/account-line.ts';
import type { UsageReport } from '../../wire/usage-views.ts';

/** Reports from before a reset are ignored. */
export function viewAccounts({ accounts, lines }: Host, now: number): Pick<UsageReport, 'accounts' | 'closed'> {
  const told = Object.entries(accounts).flatMap(([account, limits]) =>
    Object.values(limits).map(({ of, used, resetsAtMs, at }) => ({
      account,
      of,
      used,
      resetsAt: resetsAtMs,
      toldAt: at,
    })),
  );
  return {
    accounts: told.filter(({ resetsAt }) => resetsAt === null || resetsAt > now),
    closed: Object.entries(lines)
      .filter(([, line]) => !isOver(line, now))
      .map(([name, { limit, until }]) => ({ name, limit, until })),
  };
}
