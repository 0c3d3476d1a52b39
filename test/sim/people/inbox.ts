// A person who looks into the inbox now and then and answers: right, wrong, twice, or without the right to.

import type { Engine } from '../../../src/engine/engine.ts';
import { isRequest, type TaskAsk } from '../../../src/model/asks/ask.ts';
import { lastAskAbout, openAsks } from '../../../src/model/asks/find-asks.ts';
import type { AskId, RunId } from '../../../src/model/core/ids.ts';
import type { Run, Task } from '../../../src/model/core/run.ts';
import type { People } from './orders.ts';

/** A person who looks into the inbox now and then and answers, sometimes twice and not the same. */
export function readInbox(sim: People): void {
  const { chance, world } = sim;
  const answer = (engine: Engine, runId: RunId, askId: AskId): void => {
    const approved = chance.hit(0.6);
    world.note({ kind: 'answering', askId, approved });
    const remember = chance.hit(0.1) ? chance.pick(['call', 'tool'] as const) : null;
    engine.send(runId, { type: 'answerAsk', askId, approved, by: 'person', message: null, remember }).catch(() => {});
  };
  const look = async (): Promise<void> => {
    const engine = sim.lives.at(-1)?.engine ?? null;
    const open =
      engine === null ? [] : await engine.look(({ runs }) => Array.from(runs).flatMap(([id, run]) => asksOf(id, run)));
    for (const { runId, askId, task, ask } of open) {
      if (engine === null || !chance.hit(0.7)) continue;
      const once = (): void =>
        task === null ? answer(engine, runId, askId) : decideOn(sim, engine, { runId, askId, task, ask });
      once();
      if (chance.hit(0.1)) once();
    }
  };
  const again = (): void =>
    void world.scheduler.after(chance.int(2_000, 30_000), () => {
      look().catch(() => undefined);
      again();
    });
  again();
}

/** Answers an ask about a task, now and then without the right to, or with an invalid answer. */
function decideOn({ chance, world }: People, engine: Engine, { runId, askId, task, ask }: About): void {
  const by = chance.pick(['ann', 'ann', 'bob', 'eve']);
  const choices = ask?.choices ?? [];
  const approved = choices.length > 0 || chance.hit(0.7);
  const choice = choices.length > 0 ? chance.pick([...choices, 'nonsense']) : null;
  const filled = task.spec.gate !== null && task.spec.gate.form.length > 0 && approved;
  const values = filled ? chance.pick([{ n: 1 }, { n: 2 }, {}, { n: 'one' }, { m: 1 }]) : {};
  world.note({ kind: 'answering', askId, approved, by, choice, values });
  const answer = { type: 'answerAsk', askId, approved, by, message: null, remember: null, choice, values } as const;
  engine.send(runId, answer).catch(() => {});
}

interface About {
  readonly runId: RunId;
  readonly askId: AskId;
  readonly task: Task;
  readonly ask: TaskAsk | null;
}

/** Budgets are raised by another simulated person. */
function asksOf(runId: RunId, run: Run): (Omit<About, 'task'> & { readonly task: Task | null })[] {
  return openAsks(run).flatMap((ask) => {
    if (ask.kind === 'budget' || ask.kind === 'consent') return [];
    if (isRequest(ask)) return [{ runId, askId: ask.id, task: null, ask: null }];
    const task = run.tasks.get(ask.taskId) ?? null;
    return [{ runId, askId: ask.id, task, ask: lastAskAbout(run, ask.taskId) }];
  });
}
