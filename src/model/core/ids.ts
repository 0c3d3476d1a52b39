// Names of things. A run's and a task's id is minted: sortable by time, unique by chance. What belongs to a
// task (attempt, agent, launch, message) derives its id from it, so deciding twice names the same thing.

export type RunId = `run_${string}`;
export type TaskId = `task_${string}`;
export type AttemptId = `attempt_${string}`;
export type AgentId = `agent_${string}`;
export type LaunchId = `launch_${string}`;
export type RecordId = `record_${string}`;
export type ArtifactId = `artifact_${string}`;
export type AskId = `ask_${string}`;
export type MessageId = `message_${string}`;

/** Whether a name could be mistaken for an id. */
export function isLikeId(name: string): boolean {
  return /^(?:run|task|attempt|agent|launch|message|artifact|ask|message)_/i.test(name);
}

/** Mints ids in strictly increasing order, also within a millisecond and when the clock goes back. */
export interface IdSource {
  run(): RunId;
  task(): TaskId;
  message(): RecordId;
}

/** `random` gives a float in [0, 1), as Math.random does. */
export function createIds(now: () => number, random: () => number): IdSource {
  const next = createUlids(now, random);
  return {
    run: () => `run_${next()}`,
    task: () => `task_${next()}`,
    message: () => `record_${next()}`,
  };
}

/** A task of a matrix; no minted id has an `i` in it. */
export function memberId(matrix: TaskId, n: number): TaskId {
  return `${matrix}i${n}`;
}

/** A child that the agent of `parent` spawned; no minted id has an `o` in it. */
export function childId(parent: TaskId, n: number): TaskId {
  return `${parent}o${n}`;
}

/** Counted within the run. */
export function messageId(n: number): MessageId {
  return `message_${n}`;
}

export function attemptId(task: TaskId, n: number): AttemptId {
  return `attempt_${bare(task)}-${n}`;
}

export function taskOfAttempt(attempt: AttemptId): TaskId {
  return `task_${bare(attempt).replace(/-\d+$/, '')}`;
}

/** A new agent is created with an attempt and has its number. */
export function agentId(attempt: AttemptId): AgentId {
  return `agent_${bare(attempt)}`;
}

export function launchId(attempt: AttemptId, n: number): LaunchId {
  return `launch_${bare(attempt)}-${n}`;
}

/** A record that Signalbox itself sends during an attempt; `n` counts within the attempt. */
export function ownRecordId(attempt: AttemptId, n: number): RecordId {
  return `record_${bare(attempt)}-${n}`;
}

/** An ask about a task itself; `n` counts within the task. */
export function questionId(task: TaskId, n: number): AskId {
  return `ask_${bare(task)}-q${n}`;
}

/** An ask about messages between the run of a task and another run; `n` counts within the run. */
export function consentId(task: TaskId, n: number): AskId {
  return `ask_${bare(task)}-c${n}`;
}

/** The task whose agent wants to write to another run; null = the ask is about something else. */
export function taskOfConsent(gate: AskId): TaskId | null {
  const id = /^(.+)-c\d+$/.exec(bare(gate))?.[1];
  return id === undefined ? null : `task_${id}`;
}

/** The task that an ask is about; null for an agent's own requests, whose ids end in a bare number. */
export function taskOfQuestion(gate: AskId): TaskId | null {
  const id = /^(.+)-q\d+$/.exec(bare(gate))?.[1];
  return id === undefined ? null : `task_${id}`;
}

/** A request of an agent to people during an attempt; `n` counts within the attempt. */
export function permissionId(attempt: AttemptId, n: number): AskId {
  return `ask_${bare(attempt)}-${n}`;
}

/** An ask for more budget of a run, a task, or a task with its descendants; `n` counts within that. */
export function budgetAskId(of: 'run' | 'task' | 'tree', owner: RunId | TaskId, n: number): AskId {
  return `ask_${bare(owner)}-${budgetMarks[of]}${n}`;
}

/** All runs share the day's budget. */
export const dayAskId: AskId = 'ask_day';

const budgetMarks = { run: 'r', task: 'b', tree: 't' } as const;

/** The scope of a budget ask; null = the ask is about something else. */
export function scopeOfAsk(ask: AskId): { of: 'run'; runId: RunId } | { of: 'task' | 'tree'; taskId: TaskId } | null {
  const [, id, mark] = /^(.+)-([rbt])\d+$/.exec(bare(ask)) ?? [];
  if (mark === 'r') return { of: 'run', runId: `run_${id}` };
  if (mark === undefined) return null;
  return { of: mark === 'b' ? 'task' : 'tree', taskId: `task_${id}` };
}

/** Its number among the asks of the same owner. */
export function askNumber(ask: AskId): number {
  return Number(/\d+$/.exec(ask)?.[0] ?? 0);
}

/** The attempt that asked. */
export function attemptOfAsk(gate: AskId): AttemptId {
  return `attempt_${bare(gate).replace(/-\d+$/, '')}`;
}

export function isRunId(text: string): text is RunId {
  return /^run_[0-9a-z]{26}$/.test(text);
}

/** An id without its prefix. */
export function bare(id: string): string {
  return id.slice(id.indexOf('_') + 1);
}

// Crockford's alphabet in lower case: no i, l, o, u, and it sorts as its values do.
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const timeDigits = 10;
const chanceDigits = 16;

function createUlids(now: () => number, random: () => number): () => string {
  let last = -1;
  let chance: number[] = [];
  return () => {
    const at = now();
    if (at > last) {
      last = at;
      chance = Array.from({ length: chanceDigits }, () => Math.floor(random() * 32));
    } else if (!increment(chance)) {
      last += 1; // Out of numbers in this millisecond: borrow from the next.
    }
    return timePart(last) + chance.map((digit) => alphabet[digit]).join('');
  };
}

function timePart(at: number): string {
  let text = '';
  for (let rest = at, i = 0; i < timeDigits; i++, rest = Math.floor(rest / 32)) text = alphabet[rest % 32] + text;
  return text;
}

/** false when it wrapped round to zero. */
function increment(digits: number[]): boolean {
  for (let i = digits.length - 1; i >= 0; i--) {
    const digit = digits[i] ?? 0;
    digits[i] = digit < 31 ? digit + 1 : 0;
    if (digit < 31) return true;
  }
  return false;
}
