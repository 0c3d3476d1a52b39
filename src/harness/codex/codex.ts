// The harness of Codex, as measured on 0.169.0: `codex app-server`, JSON-RPC on its stdin and stdout.

import type { ToolDefinition } from '../../model/tool-calls/tool-list.ts';
import type { AgentContext, Harness } from '../../ports/harness.ts';
import { createReader, hooksRequest, openRequest } from './codec.ts';
import { takePassAway } from './gate.ts';
import { toolNamespace } from './items.ts';
import { codexHome, codexSettingsFlaw, launchOrder } from './launch.ts';
import { encodeOrder } from './orders.ts';
import type { ThreadResumeParams, ThreadStartParams } from './protocol.ts';
import { notification, request } from './records.ts';
import { codexStall } from './stall.ts';
import { initialState, parseState } from './state.ts';
import { codexMeter, deliveredIn, rolloutPath } from './transcript.ts';

export interface CodexOptions {
  /** The native program. */
  readonly binary: string;
  /** For tasks that name none: Codex's own default changes with its version. */
  readonly model: string;
  /** PATH, and how to reach the API. */
  readonly env: Readonly<Record<string, string>>;
  readonly tools?: readonly ToolDefinition[];
  /** After these tools of ours the engine decides whether the turn goes on. */
  readonly parkingTools?: readonly string[];
}

export function createCodex(options: CodexOptions): Harness {
  const { tools = [], parkingTools = [] } = options;
  return {
    name: 'codex',
    stall: codexStall,
    capabilities: [
      'steer',
      'interrupt',
      'permission',
      'tools',
      'output',
      'usage',
      'resume',
      'images',
      'mcp',
      'skills',
      'compact',
      'end',
    ],
    command: (agent) => launchOrder(options, agent),
    opening: (agent) => openingRecords(agent, tools),
    initial: ({ home, brake = false, schema = null, resume }) =>
      initialState({ dir: codexHome(home), brake, typed: schema !== null, resumes: resume }),
    read: createReader(parkingTools),
    // A turn that had no end failed, and that is the engine's to say.
    ended: () => null,
    inFlight: (state) => Object.values(parseState(state).calls),
    encode: encodeOrder,
    settingsFlaw: codexSettingsFlaw,
    reopen: ({ session, home, cwd }) => ({
      argv: [options.binary, 'resume', session],
      env: { CODEX_HOME: codexHome(home) },
      cwd,
    }),
    transcript: rolloutPath,
    meter: codexMeter,
    delivered: deliveredIn,
  };
}

/** All at once: Codex takes them in order, and a launch waits for no answer between them. */
function openingRecords(agent: AgentContext, tools: readonly ToolDefinition[]): string {
  const { home, sandboxed = false, asks = false, resume, session } = agent;
  const rules = { approvalPolicy: sandboxed && !asks ? 'never' : 'untrusted', sandbox: 'danger-full-access' } as const;
  const start: ThreadStartParams = { ...rules, dynamicTools: tools.length === 0 ? [] : [namespaceOf(tools)] };
  const again: ThreadResumeParams = { ...rules, threadId: session ?? '', excludeTurns: true };
  return [
    request('initialize', 'initialize', { clientInfo, capabilities }),
    notification('initialized'),
    takePassAway('pass', codexHome(home)),
    resume && session !== null
      ? request(openRequest, 'thread/resume', again)
      : request(openRequest, 'thread/start', start),
    request(hooksRequest, 'hooks/list', {}),
  ].join('');
}

const clientInfo = { name: 'signalbox', title: 'Signalbox', version: '1' };

const capabilities = {
  // Tools of ours, and ending what an interrupted turn left running.
  experimentalApi: true,
  // Pieces of what comes whole a moment later, and news for a window on a screen.
  optOutNotificationMethods: [
    'item/agentMessage/delta',
    'item/commandExecution/outputDelta',
    'item/fileChange/outputDelta',
    'item/fileChange/patchUpdated',
    'item/reasoning/summaryTextDelta',
    'item/reasoning/summaryPartAdded',
    'item/reasoning/textDelta',
    'item/plan/delta',
    'turn/diff/updated',
    'thread/started',
    'thread/settings/updated',
    'thread/readState/changed',
    'remoteControl/status/changed',
    'hook/completed',
  ],
};

function namespaceOf(tools: readonly ToolDefinition[]): object {
  return {
    type: 'namespace',
    name: toolNamespace,
    description: 'Tools of Signalbox, which runs you: other agents, messages, people, results.',
    tools: tools.map(({ name, description, inputSchema }) => ({ type: 'function', name, description, inputSchema })),
  };
}
