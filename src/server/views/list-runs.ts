// Lists runs, in memory or only in the journal. A damaged run does not hide the others, and one that was removed is not listed.
// Read-only.

import type { RunId } from '../../model/core/ids.ts';
import type { Journal } from '../../ports/journal.ts';
import { isFault } from '../../std/fault.ts';
import type { RunList, RunView } from '../../wire/views.ts';

export interface RunLists {
  /** Newest last. `limit` counts ended runs only: open runs are always listed. */
  list(which: { readonly ended: boolean; readonly limit: number }): Promise<RunList>;
  /** Open and ended runs, newest first; `repo`: only those on the checkout at this path. */
  page(which: { readonly repo: string | null; readonly page: number; readonly size: number }): Promise<RunList>;
}

type Look = (runId: RunId) => Promise<RunView | null>;

export function createLists(journal: Pick<Journal, 'heads'>, look: Look): RunLists {
  return {
    async list({ ended, limit }) {
      const heads = await journal.heads({ prefix: 'run_' });
      const open = heads.filter((head) => head.open);
      const newest = ended ? heads.filter((head) => !head.open).slice(-limit) : [];
      const ids = [...open, ...newest].map((head) => head.stream as RunId).sort();
      const out: RunList = { runs: [], unreadable: [], more: false };
      for (const id of ids) await addTo(out, id, look);
      return out;
    },
    async page({ repo, page, size }) {
      const all: RunList = { runs: [], unreadable: [], more: false };
      const heads = await journal.heads({ prefix: 'run_' });
      for (const { stream } of [...heads].reverse()) {
        if (all.runs.length > page * size) break;
        await addTo(all, stream as RunId, look, repo);
      }
      const runs = all.runs.slice((page - 1) * size, page * size);
      return { runs, unreadable: all.unreadable, more: all.runs.length > page * size };
    },
  };
}

async function addTo(list: RunList, id: RunId, look: Look, repo: string | null = null): Promise<void> {
  try {
    const found = await look(id);
    if (found === null || found.removedBy !== null) return;
    if (repo === null || found.repo.path === repo) list.runs.push(found);
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    list.unreadable.push({ id, reason: error.message });
  }
}

export function unlessUnreadable(error: unknown): null {
  if (isUnreadable(error)) return null;
  throw error;
}

function isUnreadable(error: unknown): error is Error {
  return isFault(error, 'journal_corrupt') || isFault(error, 'journal_newer');
}
