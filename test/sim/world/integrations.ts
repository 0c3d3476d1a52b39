// The branches of simulated runs. Like the real ones: a merge of a head and a commit is always the same, a branch is moved only
// from the head that the journal knows, only to what the checks pass on and once for all works of a call, and what an earlier
// call integrated is reported as integrated.

import type { AttemptId } from '../../../src/model/core/ids.ts';
import type { CheckSpec } from '../../../src/model/core/spec.ts';
import type { Trailer } from '../../../src/model/integrate/trailer.ts';
import type {
  IntegrateOrder,
  IntegrateResult,
  IntegrateWork,
  IntegrationPort,
} from '../../../src/ports/integration-port.ts';
import { assert } from '../../../src/std/assert.ts';
import { Fault } from '../../../src/std/fault.ts';
import type { Call } from './ports.ts';
import type { World } from './world.ts';

export function integrationPort(world: World, engine: number, call: Call, alive: () => boolean): IntegrationPort {
  return {
    async integrate(order, signal) {
      signal.throwIfAborted();
      const { runId, head, works } = order;
      for (const { attemptId, trailers } of works) requireSameOrigin(world, attemptId, trailers);
      const ordered = works.map(({ attemptId, wanted }) => ({ attemptId, wanted }));
      world.note({ kind: 'integrateOrdered', engine, runId, head, works: ordered });
      await testing(world, signal, alive);
      return call(
        () => {
          signal.throwIfAborted();
          const there = world.branches.get(runId) ?? head;
          return there === head ? integrateBatch(world, order) : tellIntegrated(world, order, there);
        },
        20,
        world.unlooked,
      );
    },
  };
}

/** Else an integration that is tried again would make another commit. */
export function requireSameOrigin(world: World, what: string, trailers: readonly Trailer[]): void {
  const said = JSON.stringify(trailers);
  const before = world.origins.get(what) ?? said;
  assert(said === before, `${what} was said to come from ${before} and now from ${said}`);
  world.origins.set(what, said);
}

/** Checks take their time, in which a stop, another engine or the end of this one may come. */
function testing(world: World, signal: AbortSignal, alive: () => boolean): Promise<void> {
  if (world.integrationMs === 0) return Promise.resolve();
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    world.scheduler.after(world.chance.int(0, world.integrationMs), () => {
      if (alive()) resolve();
    });
  });
}

/** The record has to know of what is there before there is more. */
function tellIntegrated(
  world: World,
  { runId, head, works, checks }: IntegrateOrder,
  there: string,
): IntegrateResult[] {
  const made = world.integrations.get(runId) ?? [];
  const at = made.findIndex(({ from }) => from === head);
  const since = at < 0 ? [] : made.slice(at);
  const known = new Set<string>(works.map(({ attemptId }) => attemptId));
  if (at < 0 || since.some(({ attemptId }) => !known.has(attemptId))) {
    throw new Fault('git_failed', `the branch is at ${there}, not ${head}`);
  }
  const integratedWorks = works.filter(({ attemptId }) => since.some((each) => each.attemptId === attemptId));
  const items = test(world, runId, there, checksOf(checks, integratedWorks));
  const integrated = since.map(({ attemptId, to }) => integratedAt(attemptId as AttemptId, to, items));
  const unwanted = works.filter(
    ({ attemptId, wanted }) => !wanted && !since.some((each) => each.attemptId === attemptId),
  );
  return [...integrated, ...unwanted.map((work) => withdraw(world, work))];
}

function integrateBatch(world: World, { runId, head, works, checks }: IntegrateOrder): IntegrateResult[] {
  // Sometimes not all are looked at: the others stay where they are.
  const looked = works.slice(0, world.chance.int(1, works.length));
  const rest = looked.filter(({ attemptId, wanted }) => wanted && !world.withdrawn.has(attemptId));
  const results = new Map<string, IntegrateResult>();
  for (const work of looked) if (!rest.includes(work)) results.set(work.attemptId, withdraw(world, work));
  const train: Train = { world, runId, head, checks, results };
  const steps = join(train, rest, false) ?? join(train, rest, true) ?? [];
  const tip = steps.at(-1)?.to;
  if (tip !== undefined) {
    const items = test(
      world,
      runId,
      tip,
      checksOf(
        checks,
        steps.map(({ work }) => work),
      ),
    );
    world.note({ kind: 'branchMoved', runId, from: head, to: tip, works: steps.map(toldOf) });
    const made = steps.map(({ work: { attemptId }, from, to }) => ({ attemptId, from, to }));
    world.integrations.set(runId, [...(world.integrations.get(runId) ?? []), ...made]);
    world.branches.set(runId, tip);
    for (const { work, to } of steps) results.set(work.attemptId, integratedAt(work.attemptId, to, items));
  }
  return looked.flatMap(({ attemptId }) => results.get(attemptId) ?? []);
}

interface Train {
  readonly world: World;
  readonly runId: string;
  readonly head: string;
  readonly checks: readonly CheckSpec[];
  readonly results: Map<string, IntegrateResult>;
}

interface Step {
  readonly work: IntegrateWork;
  readonly from: string;
  readonly to: string;
}

/** All that fit, one on the other: each is tested, or only the last; null where that does not pass. */
function join(
  { world, runId, head, checks, results }: Train,
  works: readonly IntegrateWork[],
  each: boolean,
): Step[] | null {
  const steps: Step[] = [];
  for (const work of works) {
    const from = steps.at(-1)?.to ?? head;
    const { attemptId, commit, base } = work;
    const others = [...(world.integrations.get(runId) ?? []), ...steps.map((step) => step.work)].map(
      (other) => other.attemptId,
    );
    if (from !== base && world.verdict(`conflict ${from} ${commit}`, () => world.chance.hit(world.conflicts))) {
      world.note({ kind: 'conflictFound', runId, attemptId, head: from, commit });
      const with_ = others.slice(-1) as AttemptId[];
      world.onUnfit.get(runId)?.(attemptId as AttemptId);
      results.set(attemptId, { attemptId, kind: 'conflict', paths: ['a.txt'], pathsTotal: 1, with: with_ });
      continue;
    }
    const to = `merge(${from},${commit})`;
    const due = checksOf(checks, [...steps.map((step) => step.work), work]);
    const items = each ? test(world, runId, to, due) : [];
    const commands = due.filter((_, i) => items[i]?.passed === false).map(commandOf);
    if (commands.length > 0) {
      const together = others.length > 0 && world.chance.hit(0.5) ? (world.chance.pick(others) as AttemptId) : null;
      const on = steps.map((step) => step.work.attemptId);
      world.note({ kind: 'checkConflictFound', runId, attemptId, head: from, commit, commands, on, with: together });
      world.onUnfit.get(runId)?.(attemptId as AttemptId);
      results.set(attemptId, { attemptId, kind: 'failed', items, with: together });
    } else steps.push({ work, from, to });
  }
  const tip = steps.at(-1)?.to;
  if (each || tip === undefined) return steps;
  const items = test(
    world,
    runId,
    tip,
    checksOf(
      checks,
      steps.map(({ work }) => work),
    ),
  );
  return items.every(({ passed }) => passed) ? steps : null;
}

function test(world: World, runId: string, commit: string, checks: readonly CheckSpec[]) {
  return checks.map((check) => {
    const command = commandOf(check);
    const passed = world.verdict(`${command} ${commit}`, () => !(world.faulty && world.chance.hit(0.1)));
    world.note({ kind: 'treeChecked', runId, commit, command, passed });
    return { check: check.name, passed, detail: passed ? 'exit 0' : 'exit 1' };
  });
}

/** What has to hold where these works are, each command once. */
function checksOf(checks: readonly CheckSpec[], works: readonly IntegrateWork[]): CheckSpec[] {
  const all = [...checks, ...works.flatMap((work) => work.checks)];
  return [...new Map(all.toReversed().map((check) => [commandOf(check), check])).values()].toReversed();
}

function commandOf({ argv }: CheckSpec): string {
  return argv.join(' ');
}

function toldOf({ work: { attemptId, commit }, to }: Step): { attemptId: string; commit: string; to: string } {
  return { attemptId, commit, to };
}

function withdraw(world: World, { attemptId }: IntegrateWork): IntegrateResult {
  world.withdrawn.add(attemptId);
  return { attemptId, kind: 'withdrawn' };
}

function integratedAt(attemptId: string, commit: string, items: ReturnType<typeof test>): IntegrateResult {
  return { attemptId, kind: 'integrated', commit, tree: `tree of ${commit}`, items };
}
