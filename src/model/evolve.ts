// Folds one event into a run. Mutates in place and keeps the indices; no clock, no I/O, no hidden input.
// What an event may do is decided elsewhere: here a record that makes no sense asserts.

import { assert, unreachable } from '../std/assert.ts';
import { evolveGate } from './asks/evolve-gate.ts';
import { evolveQuestion, isQuestionEvent } from './asks/evolve-question.ts';
import { evolveAttempt } from './attempt/evolve-attempt.ts';
import { evolveLaunch } from './attempt/evolve-launch.ts';
import { evolveResult, isResultEvent } from './attempt/evolve-result.ts';
import { evolveChildren, isChildrenEvent } from './children/evolve-children.ts';
import type { RunEvent } from './core/events.ts';
import type { Run } from './core/run.ts';
import { next, runNext } from './core/states.ts';
import { evolveAgent, isAgentEvent } from './evolve-agent.ts';
import { evolveLanding, isLandingEvent } from './land/evolve-landing.ts';
import { evolveParking } from './parking/evolve-parking.ts';
import { evolveSession, isSessionEvent } from './session/evolve-session.ts';
import { evolveSpending } from './spending/evolve-spending.ts';
import { evolveTask } from './tasks/evolve-task.ts';
import { evolveTeam, isTeamEvent } from './teams/evolve-team.ts';

type Of<Type extends RunEvent['type']> = Extract<RunEvent, { type: Type }>;

export function evolve(run: Run, event: RunEvent): void {
  run.seq += 1;
  switch (event.type) {
    case 'run.created':
    case 'run.stopAsked':
    case 'run.ended':
    case 'run.resumed':
      return evolveRun(run, event);
    case 'task.added':
    case 'task.delayed':
    case 'task.due':
    case 'task.ended':
    case 'task.reopened':
    case 'task.opened':
    case 'task.expanded':
    case 'task.joined':
      return evolveTask(run, event);
    case 'gate.opened':
    case 'gate.decided':
    case 'gate.expired':
      return evolveGate(run, event);
    case 'usage.recorded':
    case 'usage.metered':
    case 'budget.exhausted':
    case 'budget.set':
    case 'budget.day':
      return evolveSpending(run, event);
    case 'attempt.parked':
    case 'attempt.unparked':
    case 'attempt.braked':
    case 'attempt.limited':
    case 'attempt.served':
    case 'attempt.told':
      return evolveParking(run, event);
    case 'attempt.started':
    case 'workspace.ready':
    case 'workspace.saved':
    case 'turn.ended':
    case 'stop.asked':
    case 'attempt.finished':
    case 'evidence.recorded':
    case 'attempt.ended':
    case 'effect.failed':
      return evolveAttempt(run, event);
    case 'launch.intended':
    case 'launch.started':
    case 'launch.read':
    case 'launch.signalled':
    case 'launch.ended':
    case 'launch.lost':
      return evolveLaunch(run, event);
    default:
      // Known by how their names begin, which takes longer to tell: most events are none of these.
      if (isQuestionEvent(event)) return evolveQuestion(run, event);
      if (isResultEvent(event)) return evolveResult(run, event);
      if (isLandingEvent(event)) return evolveLanding(run, event);
      if (isChildrenEvent(event)) return evolveChildren(run, event);
      if (isSessionEvent(event)) return evolveSession(run, event);
      if (isTeamEvent(event)) return evolveTeam(run, event);
      if (isAgentEvent(event)) return evolveAgent(run, event);
      unreachable(event);
  }
}

function evolveRun(run: Run, event: Of<'run.created' | 'run.stopAsked' | 'run.ended' | 'run.resumed'>): void {
  switch (event.type) {
    case 'run.created':
      assert(run.spec === null, 'a run is created once');
      run.spec = event.run;
      run.createdAt = event.at;
      run.head = event.run.repo.base;
      run.budget = event.run.limits.budget ?? null;
      return;
    case 'run.stopAsked':
      run.state = next(runNext, run.state, 'stopAsked');
      run.stopAskedBy = event.by;
      return;
    case 'run.ended':
      run.state = next(runNext, run.state, 'ended');
      run.outcome = event.outcome;
      run.endedAt = event.at;
      return;
    case 'run.resumed':
      run.state = next(runNext, run.state, 'resumed');
      run.outcome = null;
      run.endedAt = null;
      run.stopAskedBy = null;
      return;
    default:
      unreachable(event);
  }
}
