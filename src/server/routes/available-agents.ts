// Which agents a run could use here, and which of several the newest run of a repository used.

import type { RunId } from '../../model/core/ids.ts';
import type { Run } from '../../model/core/run.ts';
import { isFault } from '../../std/fault.ts';
import type { AgentFit, AgentList } from '../../wire/agent-views.ts';
import type { Served } from './route-context.ts';

/** How many runs are searched: older ones say little about habits. */
const runsMax = 100;

/** `repo`: the top of a checkout. */
export async function listAgents(served: Served, repo: string | null): Promise<AgentList> {
  const agents = [...(await served.agents())];
  const usable = agents.filter(({ flaw }) => flaw === null);
  const lastUsed = repo === null || usable.length < 2 ? null : await lastUsedIn(served, repo, usable);
  return { agents, lastUsed };
}

async function lastUsedIn(
  { engine, journal }: Served,
  repo: string,
  usable: readonly AgentFit[],
): Promise<string | null> {
  const isUsable = (harness: string): boolean => usable.some((agent) => agent.harness === harness);
  const usedBy = (run: Run | null): string | null => {
    if (run?.spec?.repo.path !== repo) return null;
    const tasks = [...run.tasks.values()].map(({ spec }) => spec);
    return (
      tasks.find(({ kind, harness }) => (kind === 'work' || kind === 'matrix') && isUsable(harness))?.harness ?? null
    );
  };
  const heads = await journal.heads({ prefix: 'run_' });
  // Run ids sort by creation time.
  const newest = heads.map(({ stream }) => stream as RunId).sort();
  for (const id of newest.slice(-runsMax).reverse()) {
    const used = await engine.lookRun(id, usedBy).catch((error: unknown) => {
      if (isFault(error, 'journal_corrupt') || isFault(error, 'journal_newer')) return null;
      throw error;
    });
    if (used !== null) return used;
  }
  return null;
}
