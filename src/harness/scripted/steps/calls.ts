// Tool calls without a command: one that is only printed, one to a tool server of the host, and the call that gives the
// structured output.

import { answeredText } from '../../stream-json/question-tool.ts';
import { type Json, listIn, objectIn, textIn } from '../../stream-json/untrusted-json.ts';
import { type Stage, TurnEnd } from '../agent/stage.ts';
import type { Given } from './step-list.ts';
import { type Done, useTool } from './tool-steps.ts';

/** Prints a call and its result, and does nothing. Answers of people to questions are its result. */
export async function pretend(
  { name, input = {}, result = '', isError = false }: Given<'tool'>,
  stage: Stage,
  ask: boolean,
): Promise<void> {
  const text = typeof result === 'string' ? result : JSON.stringify(result);
  const work = async (given: Json): Promise<Done> => {
    return 'answers' in given ? { text: answeredText(given) } : { text, isError };
  };
  await useTool(stage, { name, input, ask, work });
}

/** Calls the host's tool server and prints its answer. Answered calls are not repeated by a later process. */
export async function callServer(given: Given<'call'>, stage: Stage, ask: boolean): Promise<void> {
  const { session } = stage;
  const { repeat = 1 } = given;
  try {
    while (session.called < repeat) await callOnce(given, session.called + 1, stage, ask);
  } catch (error) {
    const isHalfDone = error instanceof TurnEnd && session.called < repeat;
    throw isHalfDone ? new TurnEnd(error.fields) : error;
  }
}

async function callOnce(
  { tool, input = {}, repeat }: Given<'call'>,
  n: number,
  stage: Stage,
  ask: boolean,
): Promise<void> {
  const { session, save } = stage;
  const done = await useTool(stage, {
    // The same in every process, so that a repeated call can be recognised.
    id: `toolu_${session.id}_${session.stepsDone}_${n}`,
    name: tool.full,
    // A call that is made once has its input as it was written: it may hold the script of another agent.
    input: repeat === undefined ? input : (numbered(input, n) as Json),
    ask,
    work: async (allowed, id) => {
      const params = { name: tool.name, arguments: allowed, _meta: { 'claudecode/toolUseId': id } };
      const message = { jsonrpc: '2.0', id: Date.now(), method: 'tools/call', params };
      const request = { subtype: 'mcp_message', server_name: tool.server, message };
      const answer = await stage.ear.ask(request, stage.signal);
      // Before messages that came meanwhile are read, because one of them may kill the process.
      session.called = n;
      save();
      return answer === null ? { text: 'the input is closed', isError: true } : serverAnswer(answer);
    },
  });
  if (done !== null) stage.voice.say(`${tool.name} ${done.isError === true ? 'failed' : 'answered'}: ${done.text}`);
  session.called = n;
}

/** With the number of the call in all its texts. */
function numbered(value: unknown, n: number): unknown {
  if (typeof value === 'string') return value.replaceAll('{n}', String(n));
  if (Array.isArray(value)) return value.map((each) => numbered(each, n));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, numbered(each, n)]));
}

/** The next result line carries it, whether it fits a schema or not. */
export async function giveOutput(value: unknown, stage: Stage): Promise<void> {
  const { session } = stage;
  const work = async (): Promise<Done> => {
    session.output = { value };
    return { text: 'Structured output provided successfully' };
  };
  await useTool(stage, { name: 'StructuredOutput', input: value as Json, ask: false, work });
}

function serverAnswer(answer: Json): Done {
  if (typeof answer['failed'] === 'string') return { text: answer['failed'], isError: true };
  const { result, error } = objectIn(answer['mcp_response']);
  if (result === undefined) return { text: textIn(objectIn(error)['message']) || 'no answer', isError: true };
  const { content, isError } = objectIn(result);
  const text = listIn(content).map((block) => textIn(objectIn(block)['text']));
  return { text: text.join('\n'), isError: isError === true, details: content };
}
