// Why a task does not continue, in words that complete "waits for …". Pure.

import { localTime } from '../../std/clock.ts';
import type { WaitView } from '../../wire/wait-views.ts';

type Of<Kind extends WaitView['kind']> = Extract<WaitView, { kind: Kind }>;

/** Times are relative to `now`. The text may quote agents: the caller strips control characters. */
export function waitWords(wait: WaitView, now = Date.now()): string {
  const { until } = wait;
  switch (wait.kind) {
    case 'needs':
      return needsWords(wait.detail);
    case 'decision':
      return 'a decision';
    case 'retry':
      return `attempt ${wait.detail.attempt} after a pause (${wait.detail.reason ?? 'unknown'})`;
    case 'paths': {
      const { path, holder } = wait.detail;
      return path === null ? 'an earlier task that wants the same paths' : `path ${path} held by task "${holder}"`;
    }
    case 'budget':
      return `budget: ${wait.detail.words}`;
    case 'service':
      return serviceWords(wait, now);
    case 'slot':
      return slotWords(wait.detail);
    case 'pause':
      return pausedWords(wait.detail, now);
    case 'interrupt': {
      const { by, since } = wait.detail;
      return `a message (signalbox send): ${by} interrupted it at ${localTime(since, now)}`;
    }
    case 'machine':
      return wait.detail.lack;
    case 'start':
      return wait.detail.resumes ? 'its process to resume' : 'its process to start';
    case 'ask':
      return askWords(wait.detail, now);
    case 'members':
      return `its tasks: ${wait.detail.ended} of ${wait.detail.all} have ended`;
    case 'rest':
      return `${restWords(wait.detail)}${until === null ? '' : ` (until ${localTime(until, now)})`}`;
    case 'failing':
      return `${wait.detail.effect} failed ${wait.detail.times} times: ${wait.detail.message}`;
  }
}

function needsWords({ tasks, more }: Of<'needs'>['detail']): string {
  const named = tasks.map(({ name, milestone }) => (milestone ? `the end of ${name.replace('.', ' ')}` : name));
  return `needs ${named.join(', ')}${moreWords(more)}`;
}

function askWords({ askId, tool, line, since }: Of<'ask'>['detail'], now: number): string {
  if (tool === null) return `a person: ${line} (${askId})`;
  return `a person: may it use ${tool}? (${askId}), since ${localTime(since, now)}`;
}

/** Also of the run itself. */
export function pausedWords({ of, by, since }: Of<'pause'>['detail'], now: number): string {
  return `"signalbox unpause": ${by} paused ${of === 'host' ? 'all agents' : 'this run'} at ${localTime(since, now)}`;
}

/** The limit that is reached: of the run, of the harness or of the daemon. */
function slotWords({ of, harness, all, after }: Of<'slot'>['detail']): string {
  const why = { start: '', rest: ' to resume', answer: ' to resume with the answer' }[after];
  const whose = harness === null ? '' : `${why === '' ? '' : ','} for ${harness}`;
  const limit = of === 'host' ? '"slots" in your configuration' : harness === null ? 'max-parallel' : 'per-harness';
  return `a slot${of === 'run' ? ' of this run' : ''}${why}${whose}: all ${all} are taken (raise ${limit})`;
}

function serviceWords({ until, detail: { limit, harness } }: Of<'service'>, now: number): string {
  const what = limit === 'quota' ? 'quota' : limit === 'rate' ? 'rate limit' : `service of ${harness}`;
  return until === null ? `${what}: another agent tries first` : `${what} until ${localTime(until, now)}`;
}

function restWords(rest: Of<'rest'>['detail']): string {
  switch (rest.for) {
    case 'answer':
      return 'a person to answer its question';
    case 'tasks': {
      const any = rest.mode === 'any' && rest.tasks.length + rest.more > 1 ? 'any of ' : '';
      return `the end of ${any}${rest.tasks.join(', ')}${moreWords(rest.more)}`;
    }
    case 'notification':
      return 'a notification';
    case 'messages':
      return rest.sent ? 'messages on their way' : 'messages';
    case 'work':
      return `work of team "${rest.team}"`;
  }
}

function moreWords(more: number): string {
  return more > 0 ? ` and ${more} more` : '';
}
