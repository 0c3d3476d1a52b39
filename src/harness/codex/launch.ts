// How Codex is started: its configuration is a file in a CODEX_HOME of the agent's own, written at every launch.

import { join } from 'node:path';
import type { AgentContext, HomeFile, LaunchOrder } from '../../ports/harness.ts';
import { unknownSetting } from '../known-settings.ts';
import { gateCommand, gateFileOf, gateHash, gateTimeoutS } from './gate.ts';
import { outputWords } from './output-schema.ts';

export interface Recipe {
  readonly binary: string;
  readonly model: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Below the agent's home. */
export const homeFolder = 'codex';

export function codexHome(home: string): string {
  return join(home, homeFolder);
}

export function launchOrder(recipe: Recipe, agent: AgentContext): LaunchOrder {
  const { home, brake = false } = agent;
  const { OPENAI_BASE_URL: baseUrl, ...env } = recipe.env;
  const files: HomeFile[] = [
    gateFileOf(brake ? 'shut' : 'open'),
    { path: 'config.toml', text: configOf(recipe, agent, baseUrl) },
  ];
  return {
    argv: [recipe.binary, 'app-server'],
    env: { ...env, HOME: home, CODEX_HOME: codexHome(home) },
    files: files.map(({ path, text }) => ({ path: join(homeFolder, path), text })),
  };
}

const keyVariable = 'OPENAI_API_KEY';

const settingNames = ['model', 'effort', 'systemPrompt'];

/** One sentence on the first setting that means nothing here; null = all do. */
export function codexSettingsFlaw(settings: Readonly<Record<string, string>>): string | null {
  return unknownSetting('codex', settingNames, settings);
}

/** TOML, whose strings, lists and tables are JSON here. */
function configOf({ model }: Recipe, agent: AgentContext, baseUrl: string | undefined): string {
  const { settings, schema = null, home } = agent;
  const words = [settings['systemPrompt'], schema === null ? undefined : outputWords(schema)].filter(
    (text) => text !== undefined,
  );
  const trusted = `${join(codexHome(home), 'config.toml')}:pre_model_request:0:0`;
  return [
    `model = ${text(settings['model'] ?? model)}`,
    ...(settings['effort'] === undefined ? [] : [`model_reasoning_effort = ${text(settings['effort'])}`]),
    ...(words.length === 0 ? [] : [`developer_instructions = ${text(words.join('\n\n'))}`]),
    // It reads AGENTS.md by itself.
    'project_doc_fallback_filenames = ["CLAUDE.md"]',
    'check_for_update_on_startup = false',
    'model_provider = "signalbox"',
    '[model_providers.signalbox]',
    // By this name Codex knows a service that sums conversations up itself; others may not.
    `name = ${text(baseUrl === undefined ? 'OpenAI' : 'custom')}`,
    `base_url = ${text(baseUrl ?? 'https://api.openai.com/v1')}`,
    'wire_api = "responses"',
    // Its own provider takes no key from the environment here.
    `env_key = ${text(keyVariable)}`,
    // Signalbox does the waiting, for all agents of an account together and without a process.
    'request_max_retries = 0',
    'stream_max_retries = 1',
    '[analytics]',
    'enabled = false',
    // Agents come from Signalbox, where they have budgets, paths and limits.
    '[agents]',
    'enabled = false',
    '[features]',
    'apps = false',
    'plugins = false',
    // What the agent runs need not have the key.
    '[shell_environment_policy]',
    `exclude = ["${keyVariable}", "CODEX_API_KEY"]`,
    '[[hooks.PreModelRequest]]',
    '[[hooks.PreModelRequest.hooks]]',
    'type = "command"',
    `command = ${text(gateCommand)}`,
    `timeout = ${gateTimeoutS}`,
    `[hooks.state.${text(trusted)}]`,
    `trusted_hash = ${text(gateHash)}`,
    '',
  ].join('\n');
}

/** A basic string of TOML: JSON writes the same, but for a character that TOML wants escaped. */
function text(value: string): string {
  return JSON.stringify(value).replaceAll('\u007f', '\\u007f');
}
