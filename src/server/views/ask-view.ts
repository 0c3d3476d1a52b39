// Views of asks: the question, and what a gate shows beside it. Derived on every request.

import type { Answer, AskOf, RequestAsk } from '../../model/asks/ask.ts';
import { lastAskAbout, openRequests } from '../../model/asks/find-asks.ts';
import type { Shown } from '../../model/asks/gate-spec.ts';
import type { QuestionOption } from '../../model/asks/question.ts';
import type { Attempt } from '../../model/core/attempt.ts';
import { taskOf } from '../../model/core/lookup.ts';
import type { Run, Task } from '../../model/core/run.ts';
import { must } from '../../std/assert.ts';
import type { AskView, QuestionView, ShownView } from '../../wire/ask-views.ts';
import type { ExhaustedView } from '../../wire/budget-views.ts';
import { viewUsage } from './usage-view.ts';

type GitDir = (attemptId: string) => string;

/** Requests of its agent, and the last other ask about the task. */
export function viewTaskAsks(run: Run, task: Task, gitDir: GitDir): AskView[] {
  const about = viewTaskAsk(run, task, gitDir);
  const requests = task.attempt === null ? [] : viewRequests(run, task, task.attempt);
  return about === null ? requests : [...requests, about];
}

/** An attempt that is being stopped needs no answer. */
function viewRequests(run: Run, task: Task, attempt: Attempt): AskView[] {
  return attempt.stop === null ? openRequests(run, attempt).map((ask) => viewRequest(run, task, ask)) : [];
}

function viewRequest(run: Run, task: Task, { id, kind, openedAt: since, request }: RequestAsk): AskView {
  const { tool, input, questions } = request;
  const plain = { ...plainAsk(run, task), id, kind, since };
  if (questions === undefined) return { ...plain, message: `may it use ${tool}?`, permission: { tool, input } };
  const shown = questions.map((each) => ({ ...each, options: each.options.map(withPreview) }));
  return { ...plain, message: questions.map(({ question }) => question).join('\n'), questions: shown };
}

function withPreview({ label, description, preview = '' }: QuestionOption): QuestionView['options'][number] {
  return { label, description, preview };
}

function viewTaskAsk(run: Run, task: Task, gitDir: GitDir): AskView | null {
  const ask = lastAskAbout(run, task.spec.id);
  if (ask === null) return null;
  const { id, kind, state, message, choices, openedAt, answer } = ask;
  const gate = kind === 'gate' ? task.spec.gate : null;
  const timeoutMs = gate?.timeoutMs ?? null;
  return {
    ...plainAsk(run, task),
    id,
    kind,
    state,
    message,
    choices: [...choices],
    questions: kind === 'question' ? [plainQuestion(message, choices)] : [],
    since: openedAt,
    until: timeoutMs === null ? null : openedAt + timeoutMs,
    onTimeout: gate?.onTimeout ?? 'reject',
    who: [...(gate?.who ?? [])],
    form: (gate?.form ?? []).map((field) => ({ ...field, options: [...field.options] })),
    shows: state === 'open' ? (gate?.shows ?? []).map((shown) => show(run, shown, gitDir)) : [],
    answer: answer === null ? null : viewAnswer(answer),
  };
}

function plainQuestion(question: string, choices: readonly string[]): QuestionView {
  const options = choices.map((label) => withPreview({ label, description: '' }));
  return { question, header: null, options, multiple: false };
}

function viewAnswer(answer: Answer & { readonly at: number }): NonNullable<AskView['answer']> {
  return { ...answer, words: answer.words ?? null, answers: (answer.answers ?? []).map((each) => [...each]) };
}

/** Asks about the run as a whole. */
export function viewRunAsks(run: Run, exhausted: readonly ExhaustedView[]): AskView[] {
  const consents = [...run.asks.values()].flatMap((ask) => (ask.kind === 'consent' ? viewConsent(run, ask) : []));
  return [...consents, ...exhausted.map((each) => viewBudgetAsk(run, each))];
}

/** A person may have answered it in the other run. An ended run sends no messages any more. */
function viewConsent(run: Run, { id, state, taskId, withRun, message, openedAt: since }: AskOf<'consent'>): AskView[] {
  if (state === 'open' && run.state !== 'running') return [];
  const consent = run.messages.otherRuns.get(withRun)?.consent ?? null;
  const answer = consent === null ? null : viewAnswer({ ...consent, choice: null });
  return [{ ...plainAsk(run, taskOf(run, taskId)), id, kind: 'consent', state, message, since, answer }];
}

function viewBudgetAsk(run: Run, budget: ExhaustedView): AskView {
  const { askId: id, taskId, task, since, words: message } = budget;
  return { ...plainAsk(run, null), id, kind: 'budget', taskId, task, since, message, budget };
}

/** A yes-or-no ask without time limit, open to anybody. */
function plainAsk(run: Run, task: Task | null): Omit<AskView, 'id' | 'kind' | 'since' | 'message'> {
  const { id: runId, name } = must(run.spec, 'a run that can be seen is created');
  return {
    state: 'open',
    runId,
    run: name,
    taskId: task?.spec.id ?? null,
    task: task?.spec.name ?? null,
    until: null,
    onTimeout: 'reject',
    choices: [],
    questions: [],
    who: [],
    form: [],
    shows: [],
    permission: null,
    budget: null,
    answer: null,
  };
}

/** Characters of one output; the whole has a route of its own. */
const shownMax = 4_000;

function show(run: Run, shown: Shown, gitDir: GitDir): ShownView {
  switch (shown.kind) {
    case 'output': {
      const taskId = run.graph.taskByName.get(shown.task) ?? 'task_';
      const whole = JSON.stringify(run.tasks.get(taskId)?.output ?? null, null, 2);
      return { kind: 'output', task: shown.task, taskId, text: whole.slice(0, shownMax), length: whole.length };
    }
    case 'diff':
      return { kind: 'diff', work: integratedWork(run, gitDir) };
    case 'cost': {
      const { costMicroUsd, costAtLeastMicroUsd, inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } =
        viewUsage(run.spending.usage, run.agents.size > 0);
      const tokens = inputTokens + outputTokens + cacheReadTokens + cacheWriteTokens;
      return { kind: 'cost', costMicroUsd, costAtLeastMicroUsd, tokens };
    }
  }
}

/** All attempts of a run are kept in one repository. */
function integratedWork(run: Run, gitDir: GitDir): Extract<ShownView, { kind: 'diff' }>['work'] {
  const base = run.spec?.repo.base ?? '';
  for (const { attempt } of run.tasks.values()) {
    if (attempt !== null && run.integration.head !== base)
      return { gitDir: gitDir(attempt.id), base, commit: run.integration.head };
  }
  return null;
}
