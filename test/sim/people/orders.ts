// What people order of a run: they submit it until they are answered, and now and then stop it, resume it, have something tried
// again, land it or write to its agents.

import type { Outcome } from '../../../src/engine/command-queue.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import type { Command } from '../../../src/model/core/command.ts';
import { memberId, type RunId, type TaskId, taskOfAttempt } from '../../../src/model/core/ids.ts';
import type { Task } from '../../../src/model/core/run.ts';
import type { SimPlan } from '../plans/random-plan.ts';
import type { Chance } from '../world/scheduler.ts';
import type { World } from '../world/world.ts';

/** What people see of a simulation: they talk to the newest engine. */
export interface People {
  readonly world: World;
  readonly chance: Chance;
  readonly lives: readonly { readonly engine: Engine | null }[];
}

/** A person who submits a run and repeats it until answered, and sometimes stops it, resumes it or writes to it. */
export function giveOrders(sim: People, plan: SimPlan): void {
  const { chance, world } = sim;
  const runId = plan.run.id;
  const order = (name: string, command: Command, again: boolean): void => {
    const engine = sim.lives.at(-1)?.engine ?? null;
    const retry = (): void => void world.scheduler.after(chance.int(100, 2_000), () => order(name, command, again));
    if (engine === null) return again ? retry() : undefined;
    const life = sim.lives.at(-1);
    let answered = false;
    const note = (answer: 'accepted' | 'refused' | 'failed'): void => {
      answered = true;
      world.note({ kind: 'ordered', order: name, answer });
    };
    engine.send(runId, command).then(
      (outcome: Outcome) => note(outcome.kind),
      () => {
        note('failed');
        if (again) retry();
      },
    );
    // An engine that was killed never answers: ask the next one.
    if (!again) return;
    const ask = (): void => {
      if (answered) return;
      if (life !== undefined && sim.lives.includes(life)) world.scheduler.after(1_000, ask);
      else retry();
    };
    world.scheduler.after(1_000, ask);
  };
  const at = (ms: number, name: string, command: Command): void =>
    void world.scheduler.after(ms, () => order(name, command, false));
  order('submit', { type: 'submit', run: plan.run, tasks: plan.tasks }, true);
  if (chance.hit(0.15)) at(chance.int(10, 60_000), 'stop', { type: 'stopRun', by: 'person' });
  if (chance.hit(0.3)) at(chance.int(10, 200_000), 'resume', { type: 'resumeRun', by: 'person' });
  for (let i = 0; i < 3 && chance.hit(0.4); i++) {
    const ask = { into: chance.pick(['main', 'main', 'next', null]), mayMoveCheckout: false, openPr: chance.hit(0.1) };
    at(chance.int(10, 300_000), 'land', { type: 'land', by: 'person', ...ask });
  }
  const taskId = anyTask(chance, plan);
  const hasty = chance.hit(0.3);
  for (let i = 0; i < (hasty ? 100 : 8) && (hasty || chance.hit(0.7)); i++) {
    world.scheduler.after(hasty ? i * 500 : chance.int(10, 200_000), () => {
      tryAgain(sim, runId, hasty, (id) => order('retry', { type: 'retryTask', taskId: id, by: 'person' }, false));
    });
  }
  if (chance.hit(0.1)) at(chance.int(10, 60_000), 'stopTask', { type: 'stopTask', taskId, by: 'person' });
  if (chance.hit(0.2)) {
    stopFinished(sim, runId, (id) => order('stopTask', { type: 'stopTask', taskId: id, by: 'person' }, false));
  }
  if (chance.hit(0.2)) {
    const from = chance.int(10, 60_000);
    at(from, 'pause', { type: 'pauseRun', of: 'run', by: 'person' });
    const unpause = { type: 'unpauseRun', of: 'run', by: 'person' } as const;
    world.scheduler.after(from + chance.int(10, 60_000), () => order('unpause', unpause, true));
  }
  if (chance.hit(0.05)) pauseAll(sim);
  for (let i = 0; i < 2 && chance.hit(0.4); i++) {
    const recordId = `record_p${runId.at(-1)}${i}` as const;
    at(chance.int(10, 30_000), `send ${recordId}`, { type: 'send', recordId, taskId, from: 'person', text: 'go on' });
  }
}

/** Holds all agents for a while. */
function pauseAll(sim: People): void {
  const { chance, world } = sim;
  const engine = (): Engine | null => sim.lives.at(-1)?.engine ?? null;
  const letGo = async (): Promise<void> => {
    const current = engine();
    if ((await current?.look(({ host }) => host.paused !== null)) === true) await current?.unpauseAll('person');
  };
  const unpause = (): void => {
    world.scheduler.after(chance.int(1_000, 10_000), () => {
      letGo().catch(() => undefined);
      // An engine that was killed may have stored the pause, or may not.
      unpause();
    });
  };
  const from = chance.int(10, 60_000);
  world.scheduler.after(
    from,
    () =>
      void engine()
        ?.pauseAll('person')
        .catch(() => undefined),
  );
  world.scheduler.after(from + chance.int(10, 60_000), unpause);
}

/** Retries something that did not succeed. A hasty person does so also with tasks whose outcome others already work with. */
function tryAgain(sim: People, runId: RunId, hasty: boolean, retry: (taskId: TaskId) => void): void {
  const failed = sim.lives.at(-1)?.engine?.look(({ runs }) => {
    const tasks = runs.get(runId)?.tasks ?? new Map<TaskId, Task>();
    const undone = [...tasks.values()].filter(({ outcome }) => outcome !== null && outcome.kind !== 'succeeded');
    const used = (id: TaskId): boolean => ['ready', 'active', 'delayed'].includes(tasks.get(id)?.state ?? '');
    const wanted = hasty ? undone.filter(({ graph: { dependants } }) => dependants.some(used)) : undone;
    return wanted.map(({ spec }) => spec.id);
  });
  failed?.then(
    (ids) => ids.length > 0 && retry(sim.chance.pick(ids)),
    () => undefined,
  );
}

/**
 * Looks again and again, and stops something whose agent is done: its checks, or its integration. Often just when its work was
 * found not to fit, which the engine does not know yet.
 */
function stopFinished(sim: People, runId: RunId, stop: (taskId: TaskId) => void): void {
  const { chance, world } = sim;
  world.onUnfit.set(runId, (attemptId) => {
    if (chance.hit(0.5)) stop(taskOfAttempt(attemptId));
  });
  const look = async (): Promise<void> => {
    const found = await sim.lives.at(-1)?.engine?.look(({ runs }) => {
      const live = [...(runs.get(runId)?.live.values() ?? [])];
      return live.filter(({ state }) => state === 'proving' || state === 'integrating').map(({ taskId }) => taskId);
    });
    if (found !== undefined && found.length > 0) stop(chance.pick(found));
  };
  for (let i = 0; i < 40; i++)
    world.scheduler.after(chance.int(5_000, 200_000), () => void look().catch(() => undefined));
}

/** A task of the plan, or one that a matrix of it may become. */
function anyTask(chance: Chance, plan: SimPlan): TaskId {
  const { id, kind } = chance.pick(plan.tasks);
  return kind === 'matrix' && chance.hit(0.5) ? memberId(id, chance.int(1, 3)) : id;
}
