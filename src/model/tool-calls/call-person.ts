// `ask_person`: an agent asks a person and waits for the answer without a process. The answer arrives as a message.

import { openAskAbout } from '../asks/find-asks.ts';
import { askForAgent, nextAskId } from '../asks/open-ask.ts';
import type { CallRequest } from './call.ts';
import { type Answered, answer, type CallScene, refuse } from './call-answer.ts';

type Ask = Extract<CallRequest, { tool: 'ask_person' }>;

export function askPerson({ run, task, attempt }: CallScene, { question, options }: Ask): Answered {
  const open = openAskAbout(run, task);
  if (open !== null) return refuse(`a person has been asked already (${open.id}): one question at a time`);
  const askId = nextAskId(run, task);
  return answer(
    `Parked: a person is asked (${askId}). Your turn ends here; you are told the answer, however long it takes.`,
    askForAgent(run, task, question, options),
    { type: 'attempt.waiting', attemptId: attempt.id, waits: { tasks: [], mode: 'all', askId, until: null } },
  );
}
