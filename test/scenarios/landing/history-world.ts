// A run's branch with the integrated work of several tasks, to be landed as the history that people push.
import { join } from 'node:path';
import { linkAttempt, openLayout } from '../../../src/git/commands/layout.ts';
import { createIntegrations } from '../../../src/git/integrate/integrate.ts';
import { type CommitStyle, usualHistory } from '../../../src/model/land/landing.ts';
import type { LandingOutcome, LandOrder } from '../../../src/ports/land-port.ts';
import { commitFiles, never, run } from '../git/git-repositories.ts';
import { type LandWorld, openLandWorld, outcomeOf } from './land-world.ts';

export interface HistoryWorld extends LandWorld {
  /** Where the run's branch is. */
  readonly head: () => string;
  /** The run begins with this commit. */
  begin(commit: string): void;
  /** Integrates work of a task that is made on the branch's head, or on an earlier commit of it; false: it conflicts. */
  integrate(work: Work): Promise<boolean>;
  landAs(commits: CommitStyle, more?: Partial<LandOrder>): Promise<LandingOutcome>;
  /** `subject` lines of a branch, the newest first, down to the start. */
  subjects(branch?: string): string[];
  tree(revision: string): string;
}

export interface Work {
  readonly task: string;
  /** Each is a commit of the agent's own. */
  readonly commits: readonly Record<string, string>[];
  readonly said?: string;
  readonly on?: string;
}

export async function openHistoryWorld(files?: Record<string, string>): Promise<HistoryWorld> {
  const world = await openLandWorld(files);
  const integrations = createIntegrations({ root: world.root, test: async () => [] });
  const layout = await openLayout(world.root);
  let head = world.start;
  let count = 1;
  const words: Record<string, { asked: string; said: string; at: number }> = {};
  const more: HistoryWorld = {
    ...world,
    head: () => head,
    begin: (commit) => {
      head = commit;
    },
    async integrate({ task, commits, said = `Added ${task}.`, on = head }) {
      count += 1;
      const attemptId = `attempt_${task}-${count}`;
      await linkAttempt(layout, attemptId, world.bare);
      let commit = on;
      for (const each of commits)
        commit = await commitIn(world, each, commit, `${task} ${Object.keys(each).join(' ')}`);
      words[attemptId] = { asked: `Add ${task}`, said, at: 1_700_000_000_000 + count * 60_000 };
      const trailers = [
        { key: 'Signalbox-Task', value: `task_${task} ${task}` },
        { key: 'Signalbox-Harness', value: 'claude' },
        { key: 'Signalbox-Model', value: 'claude-opus-4-8' },
      ];
      const work = {
        attemptId,
        commit,
        base: on,
        wanted: true,
        title: task,
        at: 1_700_000_000_000,
        checks: [],
        trailers,
      };
      const [result] = await integrations.integrate(
        { runId: 'run_1', head, checks: [], sandboxed: false, works: [work] },
        never,
      );
      if (result?.kind === 'integrated') head = result.commit;
      return result?.kind === 'integrated';
    },
    async landAs(commits, given = {}) {
      return outcomeOf(await world.land({ head, words, history: { ...usualHistory, commits }, ...given }));
    },
    subjects: (branch = 'main') => run(world.user, 'log', '--format=%s', branch, `^${world.start}`).split('\n'),
    tree: (revision) => run(world.user, 'rev-parse', `${revision}^{tree}`),
  };
  return more;
}

async function commitIn({ home, bare }: LandWorld, files: Record<string, string>, on: string, message: string) {
  const checkout = join(home, 'checkout');
  run(checkout, 'checkout', '-q', '--detach', on);
  const commit = await commitFiles(checkout, files, message);
  run(checkout, 'push', '-q', bare, `HEAD:refs/test/${commit}`);
  return commit;
}
