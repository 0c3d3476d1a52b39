// A run's branch to land on, and a checkout to make work in that needs no workspace.
import { join } from 'node:path';
import { createLandings, type Landings, type LandOrder, type LandOutcome } from '../../src/git/land.ts';
import { bareOf, breakGround, type Ground, never, orderFor, run } from './git-repositories.ts';

export interface LandWorld {
  readonly ground: Ground;
  readonly landings: Landings;
  readonly bare: string;
  /** A checkout that an attempt could have worked in; its commits reach the bare repository by `bring`. */
  readonly checkout: string;
  readonly start: string;
  /** What is checked out there, in the bare repository. */
  bring(): string;
  land(order: Partial<LandOrder> & Pick<LandOrder, 'head' | 'commit'>, signal?: AbortSignal): Promise<LandOutcome>;
  branch(runId?: string): string | null;
}

export async function openLandWorld(files: Record<string, string>): Promise<LandWorld> {
  const ground = await breakGround(files);
  const { attemptId, at, title, runId: usualRun } = orderFor(ground);
  const { base: start } = await ground.workspaces.prepare(orderFor(ground), never);
  const bare = await bareOf(ground);
  const checkout = join(ground.home, 'checkout');
  // It sees at once what lands.
  run(ground.home, 'clone', '-q', '--shared', '--no-checkout', bare, checkout);
  run(checkout, 'checkout', '-q', '--detach', start);
  const landings = createLandings({ root: ground.root });
  return {
    ground,
    landings,
    bare,
    checkout,
    start,
    bring() {
      const commit = run(checkout, 'rev-parse', 'HEAD');
      run(checkout, 'push', '-q', bare, `HEAD:refs/test/${commit}`);
      return commit;
    },
    land: (order, signal = never) =>
      landings.land({ runId: usualRun, attemptId, base: start, title, at, ...order }, signal),
    branch: (runId = usualRun) =>
      run(bare, 'for-each-ref', '--format=%(objectname)', landings.ref(runId)).trim() || null,
  };
}

/** Aborts at the n-th look at it: before and after each command that is run. */
export function abortedAt(n: number): { signal: AbortSignal; looks(): number } {
  const controller = new AbortController();
  let looks = 0;
  controller.signal.throwIfAborted = () => {
    looks += 1;
    if (looks === n) controller.abort(new Error('stopped here'));
    if (controller.signal.aborted) throw controller.signal.reason;
  };
  return { signal: controller.signal, looks: () => looks };
}
