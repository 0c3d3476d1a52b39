// One tool call of the scripted agent, as Claude Code makes it: announced, permitted, hooked, done, its result printed.
// Messages that came meanwhile are read after it, in the same turn.

import { setImmediate as breathe } from 'node:timers/promises';
import { isObject, type Json, objectIn, textIn } from '../../stream-json/untrusted-json.ts';
import { fromUser } from '../agent/output-writer.ts';
import { type Stage, TurnEnd } from '../agent/stage.ts';

export interface Call {
  /** Left out = a new id. */
  readonly id?: string;
  readonly name: string;
  readonly input: Json;
  readonly ask: boolean;
  /** Gets the permitted input and the id of the call. */
  work(input: Json, id: string): Promise<Done>;
}

export interface Done {
  readonly text: string;
  readonly isError?: boolean;
  /** Structured data besides the text. */
  readonly details?: unknown;
}

const rejected =
  "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the " +
  'new_string was NOT written to the file). STOP what you are doing and wait for the user to tell you how to proceed.';

/** Returns the result; null = the call was denied. */
export async function useTool(stage: Stage, call: Call): Promise<Done | null> {
  const { voice, signal } = stage;
  const id = voice.toolUse(call.name, call.input, call.id);
  try {
    const denial = await hookDenial(stage, call, id);
    const allowed = denial === null ? await permission(stage, call, id) : denial;
    if (typeof allowed === 'string') {
      voice.toolResult(id, allowed, true);
      await endRound(stage, call, id, allowed);
      return null;
    }
    const done = await call.work(allowed, id);
    signal.throwIfAborted();
    const response = { tool_response: [{ type: 'text', text: done.text }] };
    const stopped = await hookStops(stage, 'PostToolUse', { ...call, input: allowed }, id, response);
    voice.toolResult(id, done.text, done.isError === true, done.details);
    if (stopped) throw hookStopped();
    await endRound(stage, { ...call, input: allowed }, id, done.text);
    return done;
  } catch (error) {
    if (signal.aborted) {
      voice.toolResult(id, rejected, true);
      const note = [{ type: 'text', text: '[Request interrupted by user for tool use]' }];
      voice.emit(fromUser(note, stage.session.id));
    }
    throw error;
  }
}

/**
 * Between this request to the model and the next: the host may stop the turn here, and messages that came meanwhile are read.
 */
async function endRound(stage: Stage, call: Call, id: string, text: string): Promise<void> {
  const calls = [{ tool_name: call.name, tool_input: call.input, tool_use_id: id, tool_response: text }];
  if (await hookStops(stage, 'PostToolBatch', call, id, { tool_calls: calls })) throw hookStopped();
  await readInput(stage);
}

/** A hook ends the turn well, without a text. */
function hookStopped(): TurnEnd {
  return new TurnEnd({ result: '', stop_reason: 'tool_use', terminal_reason: 'hook_stopped' }, true);
}

async function readInput(stage: Stage): Promise<void> {
  // Pending input is read before the second wait ends: only then has a whole round of the event loop passed.
  await breathe();
  await breathe();
  stage.fold();
}

/** The permitted input, or why there is none. */
async function permission(stage: Stage, { name, input, ask }: Call, id: string): Promise<Json | string> {
  if (!ask) return input;
  stage.voice.state('requires_action');
  const request = { subtype: 'can_use_tool', tool_name: name, display_name: name, input, tool_use_id: id };
  const answer = await stage.ear.ask(request, stage.signal);
  stage.voice.state('running');
  if (answer === null) return 'Tool permission request failed: the input is closed';
  if (answer['behavior'] === 'allow') return isObject(answer['updatedInput']) ? answer['updatedInput'] : input;
  if (typeof answer['failed'] === 'string') return `Tool permission request failed: Error: ${answer['failed']}`;
  if (answer['interrupt'] === true) {
    stage.interrupt();
    stage.signal.throwIfAborted();
  }
  return textIn(answer['message']) || 'denied';
}

async function hookDenial(stage: Stage, call: Call, id: string): Promise<string | null> {
  for (const output of await runHooks(stage, 'PreToolUse', call, id, {})) {
    const { permissionDecision, permissionDecisionReason } = objectIn(output['hookSpecificOutput']);
    if (permissionDecision === 'deny') return textIn(permissionDecisionReason) || 'denied by a hook';
  }
  return null;
}

async function hookStops(stage: Stage, event: string, call: Call, id: string, more: Json): Promise<boolean> {
  const outputs = await runHooks(stage, event, call, id, more);
  return outputs.some((output) => output['continue'] === false);
}

async function runHooks(stage: Stage, event: string, { name, input }: Call, id: string, more: Json): Promise<Json[]> {
  const { session, ear, signal } = stage;
  const outputs: Json[] = [];
  for (const { callback } of ear.hooks.filter((hook) => hook.event === event && matches(hook.matcher, name))) {
    const told = { session_id: session.id, cwd: process.cwd(), hook_event_name: event, tool_name: name };
    const given = { ...told, tool_input: input, tool_use_id: id, ...more };
    const request = { subtype: 'hook_callback', callback_id: callback, input: given, tool_use_id: id };
    outputs.push((await ear.ask(request, signal)) ?? {});
  }
  return outputs;
}

function matches(matcher: string, name: string): boolean {
  return matcher === '' || matcher === '*' || new RegExp(`^(?:${matcher})$`).test(name);
}
