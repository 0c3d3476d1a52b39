// Orders as records of `codex app-server`.
//
// A message is always `turn/start`: on a thread that is at work it is taken into the turn that runs, and else it begins one, so that no
// message is lost between two turns.

import type { QuestionAnswer } from '../../model/asks/question.ts';
import type { JsonObject } from '../../model/core/json.ts';
import type { AgentContext, Encoded, Order, OrderImage } from '../../ports/harness.ts';
import { listIn, objectIn, textIn } from '../stream-json/untrusted-json.ts';
import { givePass, roundOf, setGate } from './gate.ts';
import { codexHome } from './launch.ts';
import { strictSchema } from './output-schema.ts';
import { request, response } from './records.ts';
import { parseState, pin } from './state.ts';

export const pausePrefix = 'pause:';
export const compactPrefix = 'compact:';

const fullAccess = { type: 'dangerFullAccess' } as const;
/** Commands run as they are: the sandbox is around Codex itself. */
const outerSandbox = { type: 'externalSandbox', networkAccess: 'enabled' } as const;

export function encodeOrder(text: string, { recordId, body, images = [] }: Order, agent: AgentContext): Encoded {
  const { thread, turn, compacts } = parseState(text);
  const plain = (record: string): Encoded => ({ record, pinned: null });
  switch (body.kind) {
    case 'record':
      return plain(body.record);
    case 'end':
      return plain(endRecord(recordId));
    case 'text':
      if (thread === null || compacts) return 'notYet';
      return { record: turnRecord(recordId, thread, inputOf(body.text, images), agent), pinned: pin({ thread }) };
    case 'compact':
      if (thread === null || turn !== null) return 'notYet';
      return {
        record: request(compactPrefix + recordId, 'thread/compact/start', { threadId: thread }),
        pinned: pin({ thread }),
      };
    case 'interrupt':
      if (thread === null || turn === null) return 'notYet';
      return { record: interruptRecord(recordId, thread, turn), pinned: pin({ thread, turn }) };
    case 'allow':
      return plain(response(body.requestId, allowed(body.input, body.answers ?? [])));
    case 'deny':
      return denied(recordId, body, thread, turn);
    case 'toolAnswer': {
      const contentItems = [{ type: 'inputText', text: body.text }];
      return plain(response(body.requestId, { contentItems, success: !body.isError }));
    }
    case 'round':
      return plain(roundRecord(recordId, body.requestId, body.goOn, agent));
  }
}

/** It has no request for that. A command of ours sends it the signal by which it ends of itself, with status 0. */
export function endRecord(id: string): string {
  return request(id, 'command/exec', { command: ['/bin/sh', '-c', 'kill -TERM "$PPID"'], sandboxPolicy: fullAccess });
}

function inputOf(text: string, images: readonly OrderImage[]): object[] {
  return [{ type: 'text', text }, ...images.map(({ path }) => ({ type: 'localImage', path }))];
}

function turnRecord(recordId: string, threadId: string, input: object[], agent: AgentContext): string {
  const outputSchema = strictSchema(agent.schema ?? null);
  return request(recordId, 'turn/start', {
    threadId,
    clientUserMessageId: recordId,
    input,
    sandboxPolicy: agent.sandboxed === true ? outerSandbox : fullAccess,
    ...(outputSchema === null ? {} : { outputSchema }),
  });
}

/** An interrupt alone leaves its commands running. */
function interruptRecord(recordId: string, threadId: string, turnId: string): string {
  return (
    request(`interrupt:${recordId}`, 'turn/interrupt', { threadId, turnId }) +
    request(`clean:${recordId}`, 'thread/backgroundTerminals/clean', { threadId })
  );
}

function allowed(input: unknown, given: readonly QuestionAnswer[]): JsonObject {
  const questions = listIn(objectIn(input)['questions']).map(objectIn);
  if (questions.length === 0) return { decision: 'accept' };
  const answers = questions.map((each, i) => [textIn(each['id']), { answers: [...(given[i] ?? [])] }] as const);
  return { answers: Object.fromEntries(answers) };
}

/** A refusal has no words: they follow as a message to the turn that asked. */
function denied(
  recordId: string,
  { requestId, message, interrupt }: { requestId: string; message: string; interrupt: boolean },
  threadId: string | null,
  turnId: string | null,
): Encoded {
  const answer = response(requestId, { decision: interrupt ? 'cancel' : 'decline', answers: {} });
  if (interrupt || threadId === null || turnId === null) return { record: answer, pinned: null };
  const input = [{ type: 'text', text: `Not permitted: ${message}` }];
  const words = request(`words:${recordId}`, 'turn/steer', { threadId, expectedTurnId: turnId, input });
  return { record: words + answer, pinned: pin({ thread: threadId, turn: turnId }) };
}

function roundRecord(recordId: string, name: string, goOn: boolean, agent: AgentContext): string {
  const { thread, turn, brake } = roundOf(name);
  const dir = codexHome(agent.home);
  if (!goOn) return request(pausePrefix + recordId, 'turn/interrupt', { threadId: thread, turnId: turn });
  return brake ? givePass(`pass:${recordId}`, dir) : setGate(`open:${recordId}`, dir, 'open');
}
