// `signalbox pause` and `unpause`: hold all agents, or those of a run, and let them go on in the same sessions.

import { userInfo } from 'node:os';
import { plainLine, shownJson } from '../../../std/plain-text.ts';
import { accepted, runView } from '../../../wire/views.ts';
import { type Context, exits, type Verb } from '../../client/context.ts';
import { find } from '../../client/find-id.ts';

interface PauseOptions {
  readonly json?: boolean;
}

export const pause: Verb<PauseOptions> = async (context, [word], options) => {
  const held = await order(context, word, 'pause');
  const how = 'Agents end at their next tool round, and nothing new starts';
  const command = held.runId === null ? 'signalbox unpause' : `signalbox unpause ${held.runId}`;
  return tell(context, options, held.runId, `Paused: ${held.name}. ${how} until: ${command}`);
};

export const unpause: Verb<PauseOptions> = async (context, [word], options) => {
  const held = await order(context, word, 'unpause');
  return tell(context, options, held.runId, `No longer paused: ${held.name}. Agents go on in their sessions.`);
};

async function order(
  context: Context,
  word: string | undefined,
  verb: 'pause' | 'unpause',
): Promise<{ readonly runId: string | null; readonly name: string }> {
  const { client } = context;
  const by = userInfo().username;
  if (word === undefined) {
    await client.post(`/${verb}`, { by }, accepted);
    return { runId: null, name: 'all agents' };
  }
  const { runId } = await find(context, word);
  await client.post(`/runs/${runId}/${verb}`, { by }, accepted);
  const { name } = await client.get(`/runs/${runId}`, runView);
  return { runId, name: plainLine(name) };
}

async function tell(
  { terminal }: Context,
  { json }: PauseOptions,
  runId: string | null,
  words: string,
): Promise<number> {
  await terminal.print(`${json === true ? shownJson({ runId }) : words}\n`);
  return exits.ok;
}
