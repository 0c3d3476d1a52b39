// A run's branch to be integrated on, and a checkout to make work in that needs no workspace.
import { join } from 'node:path';
import { linkAttempt, openLayout } from '../../../src/git/commands/layout.ts';
import { createIntegrations, type Integrations } from '../../../src/git/integrate/integrate.ts';
import type { Test } from '../../../src/git/land/test-commit.ts';
import type { IntegrateOrder, IntegrateResult, IntegrateWork } from '../../../src/ports/integration-port.ts';
import type { CheckSpec } from '../../../src/ports/proof-port.ts';
import { bareOf, type Ground, makeDirectory, never, orderFor, run } from '../git/git-repositories.ts';

export interface IntegrateWorld {
  readonly ground: Ground;
  readonly integrations: Integrations;
  readonly bare: string;
  /** A checkout that an attempt could have worked in; its commits reach the bare repository by `bring`. */
  readonly checkout: string;
  readonly start: string;
  /** Which checks hold at a commit: all of them, until this is set. */
  holds: (check: string, commit: string) => boolean;
  /** Every question that was asked of a tree: the commit and the names of the checks. */
  readonly tested: { readonly commit: string; readonly checks: readonly string[] }[];
  /** What is checked out there, in the bare repository. */
  bring(): string;
  /** One work, of the first attempt. */
  integrate(order: OneWork, signal?: AbortSignal): Promise<IntegrateResult>;
  /** Many, each of an attempt of its own, in this order. */
  integrateAll(order: ManyWorks, signal?: AbortSignal): Promise<readonly IntegrateResult[]>;
  branch(runId?: string): string | null;
}

type Head = Pick<IntegrateOrder, 'head'> & Partial<Omit<IntegrateOrder, 'works'>>;
export type OneWork = Head & Partial<Omit<IntegrateWork, 'checks'>> & Pick<IntegrateWork, 'commit'>;
export type ManyWorks = Head & { readonly works: readonly (Partial<IntegrateWork> & Pick<IntegrateWork, 'commit'>)[] };

export async function openIntegrateWorld(files: Record<string, string>): Promise<IntegrateWorld> {
  const ground = await makeDirectory(files);
  const { base: start } = await ground.workspaces.prepare(orderFor(ground), never);
  const bare = await bareOf(ground);
  const layout = await openLayout(ground.root);
  for (let n = 2; n <= attempts; n += 1) await linkAttempt(layout, attemptOf(n - 1), bare);
  const checkout = join(ground.home, 'checkout');
  // It sees at once what integrates.
  run(ground.home, 'clone', '-q', '--shared', '--no-checkout', bare, checkout);
  run(checkout, 'checkout', '-q', '--detach', start);
  const test: Test = async ({ commit, checks }) => {
    world.tested.push({ commit, checks: checks.map(({ name }) => name) });
    return checks.map(({ name }) => {
      const passed = world.holds(name, commit);
      return { check: name, passed, detail: passed ? 'exit 0' : 'exit 1' };
    });
  };
  const integrations = createIntegrations({ root: ground.root, test });
  const { runId: usualRun } = orderFor(ground);
  const world: IntegrateWorld = {
    ground,
    integrations,
    bare,
    checkout,
    start,
    holds: () => true,
    tested: [],
    bring() {
      const commit = run(checkout, 'rev-parse', 'HEAD');
      run(checkout, 'push', '-q', bare, `HEAD:refs/test/${commit}`);
      return commit;
    },
    async integrate({ head, runId, checks, sandboxed, ...work }, signal) {
      const order = { head, ...(runId === undefined ? {} : { runId }), ...(checks === undefined ? {} : { checks }) };
      const [result] = await world.integrateAll({ ...order, works: [work] }, signal);
      if (result === undefined) throw new Error('nothing is told of it');
      return result;
    },
    integrateAll: (order, signal = never) =>
      integrations.integrate(
        { runId: usualRun, checks: [], sandboxed: false, ...order, works: order.works.map(whole) },
        signal,
      ),
    branch: (runId = usualRun) =>
      run(bare, 'for-each-ref', '--format=%(objectname)', integrations.ref(runId)).trim() || null,
  };
  const { title, at } = orderFor(ground);
  const whole = (work: ManyWorks['works'][number], n: number): IntegrateWork => {
    return { attemptId: attemptOf(n), base: start, title, at, trailers: [], checks: [], wanted: true, ...work };
  };
  return world;
}

/** How many there may be. */
const attempts = 40;

/** The first has number 0. */
export function attemptOf(n: number): string {
  return `attempt_1-${n + 1}`;
}

export function check(name: string): CheckSpec {
  return { name, argv: [name], timeoutMs: 1000 };
}

/** Where the branch came to by a work that was integrated. */
export function integratedAt(result: IntegrateResult | undefined): string {
  if (result?.kind !== 'integrated') throw new Error(`${result?.attemptId}: ${result?.kind}`);
  return result.commit;
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
