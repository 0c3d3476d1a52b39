// Folds what people are asked about tasks.

import { assert, must, unreachable } from '../../std/assert.ts';
import type { RunEvent } from '../core/events.ts';
import { taskOf } from '../core/lookup.ts';
import type { Run, Task } from '../core/run.ts';
import { gateNext, next } from '../core/states.ts';
import type { QuestionEvent } from './question.ts';

type Of<Type extends QuestionEvent['type']> = Extract<RunEvent, { type: Type }>;

export function evolveQuestion(run: Run, event: Of<QuestionEvent['type']>): void {
  const task = taskOf(run, event.taskId);
  if (event.type === 'question.asked') return ask(run, task, event);
  const question = must(task.question, `${event.askId} was asked`);
  assert(question.id === event.askId, `${event.askId} is the last question about ${event.taskId}`);
  run.questions.delete(event.askId);
  question.values = event.values;
  switch (event.type) {
    case 'question.answered': {
      const { approved, choice, by, message, words, at } = event;
      question.state = next(gateNext, question.state, approved ? 'approved' : 'rejected');
      question.decision = { approved, choice, by, message, at, ...(words === undefined ? {} : { words }) };
      return;
    }
    case 'question.expired':
      question.state = next(gateNext, question.state, 'expired');
      return;
    default:
      unreachable(event);
  }
}

function ask(run: Run, task: Task, { askId, at, topic, message, choices, failure }: Of<'question.asked'>): void {
  task.questions += 1;
  const about = failure === undefined ? {} : { failure };
  const asked = { topic, message, choices, ...about };
  task.question = { id: askId, openedAt: at, ...asked, state: 'open', decision: null, values: null };
  run.questions.set(askId, task);
}
