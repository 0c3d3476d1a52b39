// When a run has something to land, and how a landing changes its outcome.

import { defined } from '../../std/defined.ts';
import type { RunEventBody, RunOutcome } from '../core/events.ts';
import type { Run } from '../core/run.ts';
import { isAsAsked, type LandingAsk, type LandingOutcome } from './landing.ts';

/** The landing named when the run was submitted, due once everything has succeeded; null = none. */
export function landingWanted(run: Run, decided: readonly RunEventBody[] = []): LandingAsk | null {
  const { into, moveCheckout = false, history } = run.spec ?? {};
  if (into === undefined || !hasIntegrated(run, decided)) return null;
  return { into, mayMoveCheckout: moveCheckout, openPr: false, ...defined({ history }) };
}

/** Whether anything was integrated. `decided`: events that are not folded yet. */
export function hasIntegrated(run: Run, decided: readonly RunEventBody[] = []): boolean {
  if (run.spec?.integrates !== true) return false;
  return run.integration.head !== run.spec.repo.base || decided.some(({ type }) => type === 'integration.succeeded');
}

/** The landing that is still due for a run whose tasks have all succeeded; null = none. */
export function landingLeft(run: Run): LandingAsk | null {
  const { landing } = run;
  if (landing === null) return landingWanted(run);
  return landing.outcome !== null && isAsAsked(landing, landing.outcome) ? null : landing;
}

export function askLanding(run: Run, ask: LandingAsk, by: string, rounds = 0): RunEventBody {
  const { into, mayMoveCheckout, openPr, tasks, history } = ask;
  const more = { ...defined({ tasks, history }), ...(rounds === 0 ? {} : { rounds }) };
  return { type: 'landing.asked', n: (run.landing?.n ?? 0) + 1, into, mayMoveCheckout, openPr, ...more, by };
}

/** A landing that fails makes the run partial, one that is stopped makes it stopped. Work that waits for a checkout counts as landed. */
export function outcomeLanded(ofTasks: RunOutcome, outcome: LandingOutcome): RunOutcome {
  if (ofTasks !== 'succeeded' || outcome.kind === 'landed' || outcome.kind === 'aside') return ofTasks;
  return outcome.kind === 'stopped' ? 'stopped' : 'partial';
}
