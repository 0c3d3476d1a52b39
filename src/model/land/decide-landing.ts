// Decisions on landing a run's work in the branch that a person named.

import { runOutcome } from '../core/combined-outcome.ts';
import { type Command, type Decision, decided, refused, stale } from '../core/command.ts';
import type { RunEventBody } from '../core/events.ts';
import type { Run } from '../core/run.ts';
import { landingMovesMax, landingTriesMax } from '../core/timing.ts';
import { isSameAsk, type Landing, type LandingAsk, type LandingOutcome } from './landing.ts';
import { askLanding, hasIntegrated, outcomeLanded } from './landing-due.ts';
import { tasksToLand } from './landing-tasks.ts';

type Of<Type extends Command['type']> = Extract<Command, { type: Type }>;

export function decideLand(run: Run, { task, by, ...asked }: Of<'land'>): Decision {
  const { landing } = run;
  const chosen = task === undefined ? {} : tasksToLand(run, task);
  if (typeof chosen === 'string') return refused('notAllowed', chosen);
  const ask: LandingAsk = { ...asked, ...chosen };
  if (run.state === 'landing' && landing !== null) {
    if (isSameAsk(landing, ask)) return decided([]);
    const where = landing.into === null ? 'to a branch of its own' : `into ${landing.into}`;
    return refused('notAllowed', `the run is being landed ${where}: wait for its end, or stop it`);
  }
  if (run.state !== 'ended') return refused('notAllowed', 'the run has not ended: wait for it, or stop it');
  if (run.spec?.integrates !== true) {
    return refused(
      'notAllowed',
      'the work of its prompts stays apart: fetch the one you want with "signalbox take <task>"',
    );
  }
  if (!hasIntegrated(run))
    return refused('notAllowed', 'no work of the run has been integrated: there is nothing to land');
  return decided([askLanding(run, ask, by)]);
}

export function decideLanded(run: Run, { n, result }: Of<'landed'>): Decision {
  const landing = underWay(run, n);
  if (landing === null) return stale(`landing ${n}`);
  if (result.kind === 'ended') return decided(ended(run, landing, outcomeOf(run, landing, result.outcome)));
  const { from, to } = result;
  const moved: RunEventBody = { type: 'landing.moved', n, from, to };
  if (landing.moves + 1 < landingMovesMax) return decided([moved]);
  const why = `${landing.into} was moved by others ${landingMovesMax} times while the work was merged and tested`;
  return decided([moved, ...ended(run, landing, { kind: 'refused', why })]);
}

export function decideLandingFailed(run: Run, { n, code, message }: Of<'landingFailed'>): Decision {
  const landing = underWay(run, n);
  if (landing === null) return stale(`landing ${n}`);
  const hindered: RunEventBody = { type: 'landing.tryFailed', n, code, message };
  const times = (landing.failing?.times ?? 0) + 1;
  if (times < 2 * landingTriesMax) return decided([hindered]);
  const why = `${message}; whether it was landed before that could not be found out`;
  return decided([hindered, ...ended(run, landing, { kind: 'refused', why })]);
}

/** If no person stopped the run, the landing was given up because its tries failed. */
function outcomeOf({ state }: Run, { failing }: Landing, outcome: LandingOutcome): LandingOutcome {
  if (outcome.kind !== 'stopped' || state === 'stopping' || failing === null) return outcome;
  return { kind: 'refused', why: failing.message };
}

function ended(run: Run, landing: Landing, outcome: LandingOutcome): RunEventBody[] {
  const ofTasks = runOutcome(run, (task) => task.outcome, null);
  return [
    { type: 'landing.ended', n: landing.n, outcome },
    { type: 'run.ended', outcome: outcomeLanded(ofTasks, outcome) },
  ];
}

export function underWay({ landing }: Run, n: number): Landing | null {
  return landing !== null && landing.n === n && landing.outcome === null ? landing : null;
}
