// The harness of the bundled scripted agent: a real process that runs a script instead of asking a model.

import { resolve } from 'node:path';
import { parkingTools } from '../../model/tool-calls/call.ts';
import type { Harness } from '../../ports/harness.ts';
import { builtFile } from '../../std/built-file.ts';
import { unknownSetting } from '../known-settings.ts';
import {
  encodeOrder,
  endedTurn,
  inFlightIn,
  initialState,
  parkingHooks,
  readLine,
  roundHooks,
} from '../stream-json/codec.ts';
import { requestFrame } from '../stream-json/order-records.ts';
import { scriptedMeter } from './meter.ts';
import { scriptedStall } from './stall.ts';
import { parseScript, ScriptError, scriptFile } from './steps/script.ts';

export function createScripted(
  nodePath: string,
  agentFile = builtFile('harness/scripted/agent/scripted-agent.cjs'),
): Harness {
  return {
    name: 'scripted',
    stall: scriptedStall,
    capabilities: ['steer', 'interrupt', 'permission', 'tools', 'output', 'usage', 'cost', 'resume', 'compact', 'end'],
    initial: () => initialState,
    opening: ({ brake = false }) =>
      requestFrame('initialize', {
        subtype: 'initialize',
        hooks: { ...parkingHooks(parkingTools), ...(brake ? roundHooks : {}) },
      }),
    command({ agentId, settings, home, resume }) {
      return {
        // It does only what its script says, so it asks for permissions only with `--ask`.
        argv: [
          nodePath,
          agentFile,
          ...(resume ? ['--resume'] : []),
          ...(settings['ask'] === 'yes' ? ['--ask'] : []),
          ...(settings['model'] === undefined ? [] : ['--model', settings['model']]),
        ],
        env: { HOME: home, SIGNALBOX_AGENT: agentId },
        // Not by environment: the kernel allows at most 128 KiB in one variable.
        files: settings['script'] === undefined ? [] : [{ path: scriptFile, text: settings['script'] }],
        // It imports from beside its own directory.
        reads: [resolve(agentFile, '../../..')],
      };
    },
    read: readLine,
    // An end without a result is a crash, which the engine reports.
    ended: endedTurn,
    inFlight: inFlightIn,
    encode: (_state, order) => ({ record: encodeOrder(order), pinned: null }),
    settingsFlaw: scriptFlaw,
    // A message that was seen is acknowledged again without effect: no transcript is needed.
    transcript: () => null,
    meter: scriptedMeter,
    delivered: () => new Set(),
  };
}

/** It ignores model and effort, so that a plan for a paid agent can be tried on it first. */
const scriptedSettings = ['script', 'model', 'effort'];

function scriptFlaw(settings: Readonly<Record<string, string>>): string | null {
  const unknown = unknownSetting('scripted', scriptedSettings, settings);
  if (unknown !== null) return unknown;
  const { script } = settings as { script?: string };
  try {
    if (script !== undefined) parseScript(script);
    return null;
  } catch (error) {
    if (error instanceof ScriptError) return error.message;
    throw error;
  }
}
