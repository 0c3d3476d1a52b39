// `signalbox queue`: tasks waiting to be integrated on the branch of their run, and runs waiting to land in a branch of the user's.

import { plainLine, shownJson } from '../../../std/plain-text.ts';
import { type RunView, runList } from '../../../wire/views.ts';
import { exits, type Verb } from '../../client/context.ts';
import { elapsed } from '../../text/figures.ts';
import { wrapLine } from '../../text/wrap-line.ts';

interface Queues {
  /** By run: work waiting to be integrated on its branch, in order. */
  readonly branches: readonly {
    readonly runId: string;
    readonly name: string;
    readonly works: readonly { task: string; taskId: string; since: number; tried: boolean }[];
  }[];
  /** By branch of a user's repository: the runs waiting to land in it, in order. */
  readonly targets: readonly {
    readonly repo: string;
    readonly branch: string;
    readonly runs: readonly {
      readonly runId: string;
      readonly name: string;
      /** null: it has not ended yet. */
      readonly since: number | null;
      readonly moves: number;
      readonly trouble: string | null;
    }[];
  }[];
}

export const queue: Verb<{ readonly json?: boolean }> = async ({ client, terminal }, _words, { json }) => {
  const { runs } = await client.get('/runs', runList);
  const queues = { branches: branchesOf(runs), targets: targetsOf(runs) };
  const lines = linesOf(queues, Date.now()).flatMap((line) => wrapLine(line, terminal.columns, 4));
  await terminal.print(json === true ? `${shownJson(queues)}\n` : `${lines.join('\n')}\n`);
  return exits.ok;
};

function branchesOf(runs: readonly RunView[]): Queues['branches'] {
  return runs.flatMap(({ id: runId, name, tasks }) => {
    const queued = tasks.flatMap((task) => {
      const integration = task.attempt?.integration ?? null;
      return integration === null ? [] : [{ ...integration, task: task.name, taskId: task.id }];
    });
    const works = queued.toSorted((a, b) => a.place - b.place).map(({ place: _, ...work }) => work);
    return works.length === 0 ? [] : [{ runId, name, works }];
  });
}

function targetsOf(runs: readonly RunView[]): Queues['targets'] {
  const targets = new Map<
    string,
    { repo: string; branch: string; runs: Queues['targets'][number]['runs'][number][] }
  >();
  for (const { id: runId, name, repo, into, landing } of runs) {
    const isUnderWay = landing !== null && landing.outcome === null;
    const branch = isUnderWay ? landing.into : into;
    if (branch === null) continue;
    const key = JSON.stringify([repo.path, branch]);
    const target = targets.get(key) ?? { repo: repo.path, branch, runs: [] };
    const { askedAt: since, moves, trouble } = isUnderWay ? landing : { askedAt: null, moves: 0, trouble: null };
    target.runs.push({ runId, name, since, moves, trouble });
    targets.set(key, target);
  }
  // In the order of asking; runs still working come last.
  const order = (since: number | null): number => since ?? Number.POSITIVE_INFINITY;
  return [...targets.values()].map((target) => {
    return { ...target, runs: target.runs.toSorted((a, b) => order(a.since) - order(b.since)) };
  });
}

function linesOf({ branches, targets }: Queues, now: number): string[] {
  const lines: string[] = [];
  for (const { runId, name, works } of branches) {
    lines.push(plainLine(`to be integrated in ${name} (${runId}):`));
    for (const { task, since, tried } of works) {
      lines.push(plainLine(`  ${task}: ${tried ? 'merging and checking' : 'waiting'}, ${elapsed(now - since)}`));
    }
  }
  for (const { repo, branch, runs } of targets) {
    lines.push(plainLine(`to land in ${branch} of ${repo}:`));
    for (const [i, { name, runId, since, moves, trouble }] of runs.entries()) {
      const state = since === null ? 'still running' : i === 0 ? 'merging and checking' : 'waiting';
      const time = since === null ? '' : `, ${elapsed(now - since)}`;
      const moved = moves > 0 ? `, branch moved ${moves} time${moves === 1 ? '' : 's'} meanwhile` : '';
      lines.push(plainLine(`  ${name} (${runId}): ${state}${time}${moved}${trouble === null ? '' : `: ${trouble}`}`));
    }
  }
  return lines.length === 0 ? ['nothing waits to be integrated or landed'] : lines;
}
