// Tool calls without a command behind them: one that is only told, one to a tool server of the host, and the call that
// hands over the structured output.

import { type Json, listIn, objectIn, textIn } from '../stream-json/json.ts';
import type { Stage } from './stage.ts';
import { type Done, useTool } from './tools.ts';
import type { Given } from './verbs.ts';

/** Tells of a call and its result, and does nothing. */
export async function pretend(
  { name, input = {}, result = '', isError = false }: Given<'tool'>,
  stage: Stage,
  ask: boolean,
): Promise<void> {
  const text = typeof result === 'string' ? result : JSON.stringify(result);
  await useTool(stage, { name, input, ask, work: async () => ({ text, isError }) });
}

/** Asks the host's tool server and says what it answered. */
export async function callServer({ tool, input = {} }: Given<'call'>, stage: Stage, ask: boolean): Promise<void> {
  const done = await useTool(stage, {
    name: tool.full,
    input,
    ask,
    work: async (allowed, id) => {
      const params = { name: tool.name, arguments: allowed, _meta: { 'claudecode/toolUseId': id } };
      const message = { jsonrpc: '2.0', id: Date.now(), method: 'tools/call', params };
      const request = { subtype: 'mcp_message', server_name: tool.server, message };
      const answer = await stage.ear.ask(request, stage.signal);
      return answer === null ? { text: 'the input is closed', isError: true } : serverAnswer(answer);
    },
  });
  if (done !== null) stage.voice.say(`${tool.name} ${done.isError === true ? 'failed' : 'answered'}: ${done.text}`);
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
