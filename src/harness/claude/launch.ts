// How Claude Code is started. Every flag is given at every launch: a resumed session keeps none of them.

import { join } from 'node:path';
import { serversSetting } from '../../model/core/agent-tools.ts';
import type { AgentContext, LaunchOrder } from '../../ports/harness.ts';
import { derivedUuid } from '../derived-uuid.ts';
import { unknownSetting } from '../known-settings.ts';
import { toolServer } from '../stream-json/control.ts';
import { configDirectory, type GivenTools, givenTools } from './given-tools.ts';

export interface Recipe {
  readonly binary: string;
  /** For tasks that name none; left out = the program's own default. */
  readonly model?: string;
  readonly env: Readonly<Record<string, string>>;
  readonly hasTools: boolean;
}

/** We choose the id, so that it is known before the agent prints anything. */
export function sessionOf({ agentId, session, sessionsBefore = 0 }: AgentContext): string {
  // The files of a former session may still exist, and the CLI starts no session under an id that it has.
  return session ?? derivedUuid(sessionsBefore === 0 ? agentId : `${agentId}-${sessionsBefore}`);
}

export function launchOrder(recipe: Recipe, agent: AgentContext): LaunchOrder {
  const { settings, home, sandboxed = false, asks = false } = agent;
  const session = sessionOf(agent);
  const model = settings['model'] ?? recipe.model;
  const given = givenTools(agent);
  const words = [settings['systemPrompt'], given.instructions, agent.instructions].filter(
    (text) => text !== undefined && text !== null,
  );
  return {
    argv: [
      recipe.binary,
      '-p',
      '--input-format',
      'stream-json',
      '--output-format',
      'stream-json',
      '--verbose',
      '--replay-user-messages',
      ...(agent.resume ? ['--resume', session] : ['--session-id', session]),
      ...(model === undefined ? [] : ['--model', model]),
      '--permission-prompt-tool',
      'stdio',
      ...(sandboxed && !asks ? ['--permission-mode', 'bypassPermissions'] : []),
      // The repository's and the user's own settings, hooks and servers are used only if a person trusted them.
      '--setting-sources',
      settings['settingSources'] ?? given.settingSources,
      '--strict-mcp-config',
      ...mcpArguments(recipe, given, home),
      // In a file: arguments are visible to every user of the machine.
      ...(words.length === 0 ? [] : ['--append-system-prompt-file', join(home, wordsFile)]),
      ...(agent.schema ? ['--json-schema', JSON.stringify(agent.schema)] : []),
      ...optionalFlags.flatMap(([name, flag]) => {
        const value = settings[name];
        return value === undefined ? [] : [flag, value];
      }),
    ],
    env: {
      // Signalbox waits instead, for all agents of an account together and without a process.
      CLAUDE_CODE_MAX_RETRIES: '1',
      ...recipe.env,
      HOME: home,
      CLAUDE_CONFIG_DIR: join(home, configDirectory),
      CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS: '1',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      // As root, the CLI allows everything only if it is told that it is confined. CLAUDE_CODE_SUBPROCESS_ENV_SCRUB would hide
      // the credential from the agent's commands, but makes the CLI insist on a sandbox of its own for every command.
      ...(sandboxed ? { IS_SANDBOX: '1' } : {}),
    },
    files: [...(words.length === 0 ? [] : [{ path: wordsFile, text: words.join('\n\n') }]), ...given.files],
    ...(given.reads.length === 0 ? {} : { reads: given.reads }),
  };
}

/** Servers are in a file: their environment may hold secrets. */
function mcpArguments({ hasTools }: Recipe, { serversFile }: GivenTools, home: string): string[] {
  const configs = [...(hasTools ? [toolConfig] : []), ...(serversFile === null ? [] : [join(home, serversFile)])];
  return [
    ...(configs.length === 0 ? [] : ['--mcp-config', ...configs]),
    ...(hasTools ? ['--allowedTools', `mcp__${toolServer}`] : []),
  ];
}

/** Below the home: instructions besides the prompt, from the task and the repository. */
const wordsFile = 'instructions.md';

/** Settings of a task, and the CLI's flag for each. */
const optionalFlags: readonly (readonly [name: string, flag: string])[] = [
  ['turnsMax', '--max-turns'],
  ['budgetUsd', '--max-budget-usd'],
  ['effort', '--effort'],
  ['fallbackModel', '--fallback-model'],
  ['builtInTools', '--tools'],
  ['disallowedTools', '--disallowedTools'],
  ['cliSettings', '--settings'],
];

const settingNames = [
  'model',
  'settingSources',
  'systemPrompt',
  serversSetting,
  ...optionalFlags.map(([name]) => name),
];

/** One sentence on the first unknown setting; null = all are known. */
export function claudeSettingsProblem(settings: Readonly<Record<string, string>>): string | null {
  return unknownSetting('claude', settingNames, settings);
}

/** `alwaysLoad`: without it, newer versions show the model only the names of such tools. */
const toolConfig = JSON.stringify({
  mcpServers: { [toolServer]: { type: 'sdk', name: toolServer, alwaysLoad: true } },
});
