// A question about a task as people see it: what is asked, and beside it what the gate says is to be shown. Derived at each
// look, never kept.

import type { Shown } from '../../model/asks/question.ts';
import { taskOf } from '../../model/core/lookup.ts';
import type { Run, Task } from '../../model/core/run.ts';
import type { QuestionView, ShownView } from '../../wire/ask-views.ts';
import type { RunView } from '../../wire/views.ts';
import { viewUsage } from './usage-view.ts';

type GitDir = (attemptId: string) => string;

export function viewQuestion(run: Run, { question, spec: { gate } }: Task, gitDir: GitDir): QuestionView | null {
  if (question === null) return null;
  const { id, topic, state, message, choices, openedAt, decision } = question;
  const asked = topic === 'gate' ? gate : null;
  const timeoutMs = asked?.timeoutMs ?? null;
  return {
    id,
    topic,
    state,
    message,
    choices: [...choices],
    since: openedAt,
    until: timeoutMs === null ? null : openedAt + timeoutMs,
    onTimeout: asked?.onTimeout ?? 'reject',
    who: [...(asked?.who ?? [])],
    form: (asked?.form ?? []).map((field) => ({ ...field, options: [...field.options] })),
    shows: state === 'open' ? (asked?.shows ?? []).map((shown) => show(run, shown, gitDir)) : [],
    decision,
  };
}

/** What is asked about mail to other runs. Nobody of a run that has ended writes any more. */
export function viewConsents(run: Run): RunView['consents'] {
  return [...run.otherRuns.values()].flatMap(({ asked, consent }) => {
    if (asked === null || (consent === null && run.state !== 'running')) return [];
    const { gateId: id, taskId, message, at: since } = asked;
    const state = consent === null ? 'open' : consent.approved ? 'approved' : 'rejected';
    const decision = consent === null ? null : { ...consent, choice: null };
    const task = taskOf(run, taskId).spec.name;
    return [{ ...plainAsk, id, topic: 'consent', state, message, since, decision, taskId, task }];
  });
}

/** Yes or no, for ever, by anybody. */
const plainAsk = { choices: [], until: null, onTimeout: 'reject' as const, who: [], form: [], shows: [] };

/** Of one output; the whole is asked for by itself. */
const shownMax = 4_000;

function show(run: Run, shown: Shown, gitDir: GitDir): ShownView {
  switch (shown.kind) {
    case 'output': {
      const taskId = run.taskByName.get(shown.task) ?? 'task_';
      const whole = JSON.stringify(run.tasks.get(taskId)?.output ?? null, null, 2);
      return { kind: 'output', task: shown.task, taskId, text: whole.slice(0, shownMax), length: whole.length };
    }
    case 'diff':
      return { kind: 'diff', work: integratedWork(run, gitDir) };
    case 'cost': {
      const { costMicroUsd, costAtLeastMicroUsd, inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } =
        viewUsage(run.usage, run.agents.size > 0);
      const tokens = inputTokens + outputTokens + cacheReadTokens + cacheWriteTokens;
      return { kind: 'cost', costMicroUsd, costAtLeastMicroUsd, tokens };
    }
  }
}

/** All attempts of a run are kept in one repository. */
function integratedWork(run: Run, gitDir: GitDir): Extract<ShownView, { kind: 'diff' }>['work'] {
  const base = run.spec?.repo.base ?? '';
  for (const { attempt } of run.tasks.values()) {
    if (attempt !== null && run.head !== base) return { gitDir: gitDir(attempt.id), base, commit: run.head };
  }
  return null;
}
