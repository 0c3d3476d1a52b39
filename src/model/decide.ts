// decide(run, command, now): what follows from a command, as events, or why it is refused. Total and pure:
// it reads the run and changes nothing; the caller appends the events and folds them in.

import { unreachable } from '../std/assert.ts';
import { decideGiveUp } from './children/resting.ts';
import { type Command, type Decision, refused } from './core/command.ts';
import type { Run } from './core/run.ts';
import { decideRemove, decideStop, decideTick } from './decide-order.ts';
import { decideOutput } from './decide-output.ts';
import { decideLand, decideLandingFailed } from './land/decide-landing.ts';
import { decideAnswer } from './lifecycle/decide-answer.ts';
import {
  decideLaunched,
  decidePrepared,
  decideProved,
  decideRecord,
  decideSaved,
  decideSignalled,
} from './lifecycle/decide-attempt.ts';
import { decideDown } from './lifecycle/decide-down.ts';
import { decideEffectFailed, decideExceeded } from './lifecycle/decide-failed.ts';
import { decideFound } from './lifecycle/decide-found.ts';
import { decideIntegrated } from './lifecycle/decide-integration.ts';
import { decideInterrupt } from './lifecycle/decide-interrupt.ts';
import { decideLandedOrSentBack } from './lifecycle/decide-landed.ts';
import { decidePosted, decideReceive } from './lifecycle/decide-receive.ts';
import { decideSend } from './lifecycle/decide-send.ts';
import { decideOutOfQuota, decideStart } from './lifecycle/decide-start.ts';
import { decideGoOn, decideHostFact, decideLimits } from './parking/decide-parking.ts';
import { decidePause } from './parking/decide-pause.ts';
import { decideResumeRun, decideRetryTask } from './tasks/decide-reopen.ts';
import { decideSubmit } from './tasks/submit.ts';

export function decide(run: Run, command: Command, now: number): Decision {
  if (command.type === 'submit') return decideSubmit(run, command);
  if (run.spec === null) return refused('unknown', 'there is no such run');
  if (command.type === 'removeRun' || run.removedBy !== null) return decideRemove(run, command);
  // A record on its way to a process: written, about to be, or not possible yet.
  if ('recordId' in command && 'launchId' in command) return decideRecord(run, command);
  if (command.type === 'pauseRun' || command.type === 'unpauseRun') return decidePause(run, command);
  if (command.type === 'day' || command.type === 'lineSeen') return decideHostFact(run, command);
  if (command.type === 'interruptTask') return decideInterrupt(run, command);
  switch (command.type) {
    case 'stopRun':
    case 'stopTask':
      return decideStop(run, command);
    case 'resumeRun':
      return decideResumeRun(run, command);
    case 'retryTask':
      return decideRetryTask(run, command);
    case 'send':
      return decideSend(run, command);
    case 'answerAsk':
      return decideAnswer(run, command, now);
    case 'setBudget':
    case 'setLimits':
      return decideLimits(run, command);
    case 'land':
      return decideLand(run, command);
    case 'start':
      return decideStart(run, command);
    case 'goOn':
      return decideGoOn(run, command);
    case 'giveUp':
      return decideGiveUp(run, command);
    case 'outOfQuota':
      return decideOutOfQuota(run, command);
    case 'tick':
      return decideTick(run, now);
    case 'receive':
      return decideReceive(run, command, now);
    case 'posted':
      return decidePosted(run, command, now);
    case 'prepared':
      return decidePrepared(run, command, now);
    case 'launched':
      return decideLaunched(run, command);
    case 'output':
      return decideOutput(run, command, now);
    case 'signalled':
      return decideSignalled(run, command);
    case 'down':
      return decideDown(run, command, now);
    case 'exceeded':
      return decideExceeded(run, command);
    case 'found':
      return decideFound(run, command);
    case 'saved':
      return decideSaved(run, command);
    case 'proved':
      return decideProved(run, command);
    case 'integrated':
      return decideIntegrated(run, command);
    case 'landed':
      return decideLandedOrSentBack(run, command);
    case 'landingFailed':
      return decideLandingFailed(run, command);
    case 'effectFailed':
      return decideEffectFailed(run, command);
    default:
      return unreachable(command);
  }
}
