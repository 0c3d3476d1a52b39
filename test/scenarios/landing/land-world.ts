// A user's repository that work is landed into, and a run's work to land.
import { join } from 'node:path';
import type { ChecksOrder } from '../../../src/git/checks/checks.ts';
import { createLandings } from '../../../src/git/land/land.ts';
import { usualHistory } from '../../../src/model/land/landing.ts';
import type { LandingOutcome, LandOrder, LandResult } from '../../../src/ports/land-port.ts';
import {
  bareOf,
  commitFiles,
  type Ground,
  makeDirectory,
  never,
  orderFor,
  pictureOf,
  run,
} from '../git/git-repositories.ts';

export interface LandWorld extends Ground {
  readonly bare: string;
  readonly start: string;
  /** What was tested, in order. */
  readonly tested: ChecksOrder[];
  /** Whether a tree passes; by default all do. */
  passes: (order: ChecksOrder) => boolean;
  passing: (step: string) => void;
  /** A commit in our repository, on top of another. */
  work(files: Record<string, string>, on?: string): Promise<string>;
  land(order: Partial<LandOrder> & Pick<LandOrder, 'head'>, signal?: AbortSignal): Promise<LandResult>;
  /** The whole of the user's repository but its objects. */
  picture(): Record<string, string>;
}

export const usual = {
  runId: 'run_1',
  n: 1,
  at: 1_700_000_000_000,
  name: 'tidy-up',
  into: 'main',
  mayMoveCheckout: false,
  openPr: false,
  checks: [{ name: 'test', argv: ['true'], timeoutMs: 1_000 }],
  sandboxed: false,
  wanted: true,
  trailers: [{ key: 'Signalbox-Run', value: 'run_1' }],
  // The commits as they are: what moves, and not what is made of it.
  history: { ...usualHistory, commits: 'keep' },
  words: {},
} as const;

export async function openLandWorld(files?: Record<string, string>): Promise<LandWorld> {
  const ground = await makeDirectory(files);
  run(ground.user, 'config', 'user.name', 'Ann Author');
  run(ground.user, 'config', 'user.email', 'ann@example.org');
  const order = orderFor(ground);
  const { base: start } = await ground.workspaces.prepare(order, never);
  const bare = await bareOf(ground);
  const checkout = join(ground.home, 'checkout');
  run(ground.home, 'clone', '-q', '--shared', '--no-checkout', bare, checkout);
  const landings = createLandings({
    root: ground.root,
    user: { home: ground.home, path: process.env['PATH'] ?? '' },
    checks: {
      async run(tested) {
        world.tested.push(tested);
        const passed = world.passes(tested);
        return tested.checks.map(({ name }) => ({ check: name, passed, detail: passed ? 'exit 0' : 'exit 1' }));
      },
    },
    signNote: () => '-----BEGIN SSH SIGNATURE-----\nAAAA\n-----END SSH SIGNATURE-----\n',
    passing: (step) => world.passing(step),
  });
  const world: LandWorld = {
    ...ground,
    bare,
    start,
    tested: [],
    passes: () => true,
    passing: () => {},
    async work(changed, on = start) {
      run(checkout, 'checkout', '-q', '--detach', on);
      const commit = await commitFiles(checkout, changed, 'work');
      run(checkout, 'push', '-q', bare, `HEAD:refs/test/${commit}`);
      return commit;
    },
    land: (given, signal = never) =>
      landings.land({ ...usual, base: start, attemptId: order.attemptId, repo: ground.user, ...given }, signal),
    picture: () => withoutObjects(pictureOf(ground.user)),
  };
  return world;
}

/** What a picture has of the repository beside objects and the notes on landed commits. */
export function withoutObjects(picture: Record<string, string>): Record<string, string> {
  const isOther = (name: string): boolean => !/^\.git\/(objects|(logs\/)?refs\/notes)/.test(name);
  return Object.fromEntries(Object.entries(picture).filter(([name]) => isOther(name)));
}

/** The names that differ between two pictures. */
export function difference(before: Record<string, string>, after: Record<string, string>): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => before[name] !== after[name]).sort();
}

export function outcomeOf(result: LandResult): LandingOutcome {
  if (result.kind !== 'ended') throw new Error(`it was moved from ${result.from} to ${result.to}`);
  return result.outcome;
}
