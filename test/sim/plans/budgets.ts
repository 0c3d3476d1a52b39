// Budgets in a simulated world: the budgets of plans, and the person who looks after them: raises exhausted ones, now and then
// lowers something, does the same with limits on agents, and in a healed world lets everything come to its end.

import type { Engine } from '../../../src/engine/engine.ts';
import { openBudgetAsks } from '../../../src/model/asks/find-asks.ts';
import type { ChildLimits, ReachedLimit } from '../../../src/model/core/child-limits.ts';
import type { Command } from '../../../src/model/core/command.ts';
import type { AskId, RunId } from '../../../src/model/core/ids.ts';
import type { Run } from '../../../src/model/core/run.ts';
import type { TaskSpec } from '../../../src/model/core/spec.ts';
import type { Budget, BudgetScope } from '../../../src/model/spending/budget.ts';
import type { Chance } from '../world/scheduler.ts';
import type { World } from '../world/world.ts';

/** A small one, so that it is met: a request uses about a thousand tokens and a fortieth of a dollar. */
export function drawBudget(chance: Chance, share: number): Budget {
  const budget: Record<string, number> = {};
  const draw = (what: keyof Budget, max: number): void => {
    if (chance.hit(0.35)) budget[what] = chance.int(1, Math.ceil(max * share));
  };
  draw('tokens', 4_000);
  draw('microUsd', 100_000);
  draw('turns', 4);
  draw('timeMs', 30_000);
  if (chance.hit(0.1)) budget['agents'] = chance.int(1, Math.ceil(3 * share));
  return Object.keys(budget).length === 0 ? { tokens: chance.int(1, Math.ceil(4_000 * share)) } : budget;
}

/** A plan's settings for money and exhausted accounts. */
export function drawSpending(chance: Chance, { kind }: Pick<TaskSpec, 'kind'>): Partial<TaskSpec> {
  const onQuota = chance.pick(['wait', 'wait', 'fallback', 'stop'] as const);
  return {
    budget: kind !== 'milestone' && chance.hit(0.3) ? drawBudget(chance, 1) : null,
    treeBudget: kind === 'matrix' && chance.hit(0.4) ? drawBudget(chance, 3) : null,
    onQuota,
    fallback: onQuota === 'fallback' ? chance.pick([[], ['cheap'], ['cheap', 'cheaper']]) : [],
  };
}

interface Watched {
  readonly world: World;
  readonly chance: Chance;
  engine(): Engine | null;
}

/** Looks into the inbox for exhausted budgets. */
export function watchBudgets({ world, chance, engine }: Watched): void {
  const send = (current: Engine, runId: RunId, order: Command): void => {
    const note = (answer: 'accepted' | 'refused' | 'failed'): void =>
      world.note({ kind: 'ordered', order: 'setBudget', answer });
    current.send(runId, order).then(
      ({ kind }) => note(kind),
      () => note('failed'),
    );
  };
  /** Raises what agents came up to, or lowers it. */
  const setLimits = (current: Engine, runId: RunId, limits: Partial<ChildLimits>): void => {
    const note = (answer: 'accepted' | 'refused' | 'failed'): void =>
      world.note({ kind: 'ordered', order: 'setLimits', answer });
    current.send(runId, { type: 'setLimits', limits, by: 'person' }).then(
      ({ kind }) => note(kind),
      () => note('failed'),
    );
  };
  let daily = chance.hit(0.15);
  /** Limits the day once; when that is exhausted it is raised, or removed. */
  const setDay = async (current: Engine, limits: boolean): Promise<void> => {
    const host = await current.look(({ runs, host: { dayBudget } }) => {
      return {
        dayBudget,
        usedUp: Array.from(runs.values()).some(({ spending: { dayExhausted } }) => dayExhausted !== null),
      };
    });
    const { agents: _, timeMs: _t, ...day } = drawBudget(chance, 5);
    if (limits && host.dayBudget === null) {
      daily = chance.hit(0.3);
      await current.setDayBudget(day, 'person');
    } else if (host.usedUp && (!world.faulty || chance.hit(0.5))) {
      await current.setDayBudget(world.faulty ? raised(chance, host.dayBudget ?? {}) : {}, 'person');
    }
  };
  const look = async (): Promise<void> => {
    const current = engine();
    if (current === null) return;
    const runs = await current.look(({ runs }) => Array.from(runs, ([id, run]) => [id, wishesOf(run)] as const));
    await setDay(current, daily && world.faulty);
    for (const [runId, { usedUp, any, reached }] of runs) {
      for (const { limit, max } of reached)
        if (chance.hit(0.2))
          setLimits(current, runId, { [limit]: chance.pick([max + 1, 2 * max, Math.max(1, max - 1)]) });
      for (const { askId, scope, budget } of usedUp) {
        if (world.faulty && !chance.hit(0.6)) continue;
        const more = world.faulty && chance.hit(0.1) ? budget : raised(chance, budget);
        if (chance.hit(0.5)) send(current, runId, { type: 'setBudget', scope, budget: more, by: 'person' });
        else send(current, runId, answerWith(askId, more));
      }
      // A person changes their mind, also about what was never limited.
      if (world.faulty && any.length > 0 && chance.hit(0.1))
        send(current, runId, {
          type: 'setBudget',
          scope: chance.pick(any),
          budget: drawBudget(chance, 2),
          by: 'person',
        });
    }
  };
  const again = (): void =>
    void world.scheduler.after(chance.int(1_000, 20_000), () => {
      look().catch(() => undefined);
      again();
    });
  again();
}

/** The answer to an ask for more names only what is raised. */
function answerWith(askId: AskId, set: Budget): Command {
  return { type: 'answerAsk', askId, approved: true, by: 'person', message: null, remember: null, set };
}

interface Wish {
  readonly askId: AskId;
  readonly scope: BudgetScope;
  readonly budget: Budget;
}

/** Exhausted budgets, with their limit and what was spent; and all scopes. */
function wishesOf(run: Run): { usedUp: Wish[]; any: BudgetScope[]; reached: readonly ReachedLimit[] } {
  const usedUp = openBudgetAsks(run).map(({ id: askId, scope, what, spent }): Wish => {
    const task = scope.of === 'run' ? null : run.tasks.get(scope.taskId);
    const budget =
      (task === null ? run.spending.budget : scope.of === 'tree' ? task?.spending.treeBudget : task?.spending.budget) ??
      {};
    return { askId, scope, budget: what === 'unknown' ? budget : { ...budget, [what]: spent } };
  });
  const any: BudgetScope[] = [{ of: 'run' }];
  for (const { spec } of run.tasks.values()) {
    any.push({ of: 'task', taskId: spec.id });
    if (spec.kind === 'matrix') any.push({ of: 'tree', taskId: spec.id });
  }
  return { usedUp, any: run.state === 'running' ? any : [], reached: run.children.limitsNotified };
}

function raised(chance: Chance, budget: Budget): Budget {
  if (chance.hit(0.1)) return {};
  const more = chance.pick([2, 4]);
  return Object.fromEntries(Object.entries(budget).map(([what, amount]) => [what, amount * more + 10]));
}
