// The harness of Claude Code, as measured on 2.1.197 and 2.1.325: the headless CLI with stream-json in both directions.
//
// A record is named by a UUID derived from its id, so that the CLI recognises it after a crash. The CLI answers with that UUID
// alone; a request before each record, whose answer carries our id, tells the codec which record the UUID names.

import type { ToolDefinition } from '../../model/tool-calls/tool-list.ts';
import type { AgentContext, Harness, Order } from '../../ports/harness.ts';
import { derivedUuid } from '../derived-uuid.ts';
import {
  createReader,
  encodeOrder,
  endedTurn,
  inFlightIn,
  initialState,
  parkingHooks,
  receiptPrefix,
  roundHooks,
  sumsRequest,
} from '../stream-json/codec.ts';
import { toolServer } from '../stream-json/control.ts';
import { compactCommand, requestFrame, userFrame } from '../stream-json/order-records.ts';
import { windowOf } from '../stream-json/window.ts';
import { claudeSettingsProblem, launchOrder, type Recipe, sessionOf } from './launch.ts';
import { claudeMeter } from './meter.ts';
import { reopenClaude } from './reopen.ts';
import { claudeStall } from './stall.ts';
import { deliveredIn, transcriptPath } from './transcript.ts';

export interface ClaudeOptions {
  /** The CLI's binary. */
  readonly binary: string;
  /** For tasks that name no model: the CLI's own default changes with its version. */
  /** For tasks that name none; left out = the program's own default. */
  readonly model?: string;
  /** PATH, and the address of the API. */
  readonly env: Readonly<Record<string, string>>;
  readonly tools?: readonly ToolDefinition[];
  /** After these tools of ours the engine decides whether the turn continues. */
  readonly parkingTools?: readonly string[];
}

export function createClaude(options: ClaudeOptions): Harness {
  const { tools = [], parkingTools = [] } = options;
  const recipe: Recipe = { ...options, hasTools: tools.length > 0 };
  return {
    name: 'claude',
    stall: claudeStall,
    capabilities: [
      'steer',
      'interrupt',
      'permission',
      'tools',
      'output',
      'usage',
      'cost',
      'resume',
      'heeds',
      'instructions',
      'adopt',
      'images',
      'mcp',
      'skills',
      'hooks',
      'compact',
      'end',
    ],
    command: (agent) => launchOrder(recipe, agent),
    opening: ({ brake = false }) =>
      initializeFrame(tools, parkingTools, brake) + requestFrame(sumsRequest, { subtype: 'get_usage' }),
    initial: () => initialState,
    read: createReader({ tools, asksWindow: true }),
    ended: endedTurn,
    inFlight: inFlightIn,
    settingsFlaw: claudeSettingsProblem,
    reopen: (session) => reopenClaude(options.binary, session),
    // The CLI accepts every order in every state: its ids are ours.
    encode: (_state, order) => ({ record: encodeForClaude(order), pinned: null }),
    // By the model it was started with: newer versions leave the mark out of their output.
    window: (model = options.model) => (model === undefined ? null : windowOf(model)),
    transcript: (agent: AgentContext, cwd: string) => transcriptPath(sessionOf(agent), cwd),
    adopted: transcriptPath,
    meter: claudeMeter,
    delivered: deliveredIn,
  };
}

function encodeForClaude(order: Order): string {
  const { recordId, body, images = [] } = order;
  if (body.kind !== 'text' && body.kind !== 'compact') return encodeOrder(order);
  const receipt = requestFrame(receiptPrefix + recordId, { subtype: 'get_binary_version' });
  if (body.kind === 'compact') return receipt + userFrame(derivedUuid(recordId), compactCommand);
  return receipt + userFrame(derivedUuid(recordId), asText(body.text), images);
}

/** A leading slash would make it a command of the CLI, which the model never sees. */
function asText(text: string): string {
  return text.startsWith('/') ? `\n${text}` : text;
}

function initializeFrame(tools: readonly ToolDefinition[], parkingTools: readonly string[], brake: boolean): string {
  if (tools.length === 0 && !brake) return '';
  const hooks = { ...parkingHooks(parkingTools), ...(brake ? roundHooks : {}) };
  return requestFrame('initialize', {
    subtype: 'initialize',
    hooks,
    ...(tools.length === 0 ? {} : { sdkMcpServers: [toolServer] }),
  });
}
