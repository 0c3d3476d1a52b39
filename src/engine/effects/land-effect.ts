// The effect that lands a run's branch in the branch a person named: one try.

import type { Command } from '../../model/core/command.ts';
import { type TaskId, taskOfAttempt } from '../../model/core/ids.ts';
import { taskOf } from '../../model/core/lookup.ts';
import type { Run, Task } from '../../model/core/run.ts';
import { integrationChecks } from '../../model/integrate/integration-queue.ts';
import { type Landing, type LandingAsk, usualHistory } from '../../model/land/landing.ts';
import type { Effect } from '../../model/pending.ts';
import { lastWords } from '../../model/session/last-words.ts';
import type { Ports } from '../../ports/engine-ports.ts';
import type { LandOrder, LandStep, WorkWords } from '../../ports/land-port.ts';
import { must } from '../../std/assert.ts';
import { defined } from '../../std/defined.ts';
import { landingProvenance } from './provenance.ts';

interface Context {
  readonly ports: Ports;
  readonly run: Run;
  readonly signal: AbortSignal;
}

export async function land(
  { n, wanted }: Extract<Effect, { kind: 'land' }>,
  { ports, run, signal }: Context,
): Promise<Command> {
  const order = landOrder(run, must(run.landing, 'a landing was asked for'), wanted);
  const trailers = await landingProvenance(ports, run);
  return { type: 'landed', n, result: await ports.landings.land({ ...order, trailers }, signal) };
}

type Asked = LandingAsk & Pick<Landing, 'n' | 'askedAt'>;

export function landOrder(run: Run, asked: Asked, wanted: boolean): Omit<LandOrder, 'trailers'> {
  const { id: runId, name, repo } = must(run.spec, 'a run that has ended was created');
  const { n, into, mayMoveCheckout, openPr, tasks: tasksNamed, history = usualHistory, askedAt: at } = asked;
  const tasks = [...run.tasks.values()];
  const tried = tasks.filter(({ attempt }) => attempt !== null);
  // The attempt that made it may have been continued since without success.
  const worked = must(
    tried.find(({ outcome }) => outcome?.kind === 'succeeded') ?? tried[0],
    'somebody made what has landed',
  );
  return {
    runId,
    n,
    name,
    attemptId: must(worked.attempt, 'looked for').id,
    repo: repo.path,
    base: repo.base,
    head: run.integration.head,
    ...chosenSteps(run, tasksNamed),
    history,
    words: wordsOf(tasks),
    into,
    mayMoveCheckout,
    openPr,
    at,
    checks: integrationChecks(run),
    // Checks run agents' code: where one of the agents had a sandbox, the checks get one.
    sandboxed: tasks.some(({ spec: { sandbox, kind } }) => kind === 'work' && sandbox === 'workspace'),
    ...defined({ usualSetup: run.spec?.setup }),
    wanted,
  };
}

function chosenSteps(run: Run, tasks: readonly TaskId[] | undefined): Pick<LandOrder, 'steps'> {
  if (tasks === undefined) return {};
  const { base } = must(run.spec, 'a run that has ended was created').repo;
  const steps = run.integration.steps.map(({ attemptId, from, to }): LandStep => {
    const id = taskOfAttempt(attemptId);
    return { from, to, task: taskOf(run, id).spec.name, chosen: tasks.includes(id) };
  });
  return { steps: { base, steps } };
}

/** Of each task's present attempt: the words of a replaced one are no longer known. */
function wordsOf(tasks: readonly Task[]): Record<string, WorkWords> {
  const words: Record<string, WorkWords> = {};
  for (const { attempt, spec } of tasks) {
    if (attempt === null) continue;
    const { queuedAt } = attempt.integration;
    const { prompt } = spec;
    const texts = typeof prompt === 'string' ? [prompt] : prompt.filter((part) => typeof part === 'string');
    const asked = texts.join('…').slice(0, askedMax);
    words[attempt.id] = { asked, said: lastWords(attempt)?.text ?? '', at: queuedAt || attempt.startedAt };
  }
  return words;
}

const askedMax = 1_000;
