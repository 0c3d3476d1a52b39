// `ask_person`: an agent asks people and waits for the answer without a process. What they say comes to it as a message.

import { askForAgent, openQuestion } from '../asks/asking.ts';
import { questionId } from '../core/ids.ts';
import type { CallRequest } from './call.ts';
import { type Answered, answer, type CallScene, refuse } from './call-answer.ts';

type Ask = Extract<CallRequest, { tool: 'ask_person' }>;

export function askPerson({ task, attempt }: CallScene, { question, options }: Ask): Answered {
  const open = openQuestion(task);
  if (open !== null) return refuse(`a person has been asked already (${open.id}): one question at a time`);
  const askId = questionId(task.spec.id, task.questions + 1);
  return answer(
    `Parked: a person is asked (${askId}). Your turn ends here; you are told the answer, however long it takes.`,
    askForAgent(task, question, options),
    { type: 'attempt.waiting', attemptId: attempt.id, waits: { tasks: [], mode: 'all', askId, until: null } },
  );
}
