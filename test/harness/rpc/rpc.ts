// A harness that only tests have: it shows that a protocol with ids of the agent's own needs one folder and one line in the list.

import { fileURLToPath } from 'node:url';
import type { AgentKind } from '../../../src/harness/agent-kind.ts';
import { unknownSetting } from '../../../src/harness/known-settings.ts';
import type { Harness, MeteredRequest } from '../../../src/ports/harness.ts';
import { encode, readLine, request, type State, start } from './rpc-codec.ts';

const agentFile = fileURLToPath(new URL('./rpc-agent.mjs', import.meta.url));

export const rpc: AgentKind = {
  name: 'rpc',
  title: 'the JSON-RPC agent',
  stall: { stallMs: 60_000, toolStallMs: 60_000 },
  create: async ({ nodePath, tools }) =>
    createRpc(
      nodePath,
      tools.map(({ name }) => name),
    ),
};

function createRpc(nodePath: string, tools: readonly string[]): Harness {
  return {
    name: 'rpc',
    stall: rpc.stall,
    capabilities: ['steer', 'interrupt', 'permission', 'tools', 'output', 'usage', 'cost', 'resume', 'end'],
    command: ({ settings, home }) => ({
      argv: [nodePath, agentFile, ...(settings['ask'] === 'yes' ? ['--ask'] : [])],
      env: { HOME: home },
      files: [{ path: 'script.json', text: settings['script'] ?? '[]' }],
      reads: [agentFile],
    }),
    // The thread is requested when this is answered, and messages wait for that.
    opening: ({ brake = false }) => request('initialize', 'initialize', { brake, tools }),
    initial: ({ resume, session }) => JSON.stringify({ ...start, resume: resume ? session : null }),
    read: readLine,
    ended: () => null,
    inFlight: (state) => Object.values((JSON.parse(state) as State).calls),
    encode,
    settingsFlaw: (settings) => unknownSetting('rpc', ['script', 'ask'], settings),
    transcript: () => null,
    meter: { places: () => ({ file: 'requests.jsonl', folder: null }), reader: () => readRequest, awaited: () => null },
    delivered: () => new Set(),
  };
}

function readRequest(line: string): MeteredRequest | null {
  if (line === '') return null;
  const { id, input: inputTokens, output: outputTokens, costMicroUsd } = JSON.parse(line);
  const usage = { inputTokens, outputTokens, cacheReadTokens: 0, cacheWriteTokens: 0, costMicroUsd, turns: 1 };
  return { id, whole: true, model: 'rpc', usage };
}
