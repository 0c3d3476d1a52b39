// How Codex is started: its configuration is a file in a CODEX_HOME of the agent's own, written at every launch.

import { join } from 'node:path';
import { serversSetting } from '../../model/core/agent-tools.ts';
import type { AgentContext, HomeFile, LaunchOrder } from '../../ports/harness.ts';
import { unknownSetting } from '../known-settings.ts';
import { gateCommand, gateFileOf, gateHash, gateTimeoutS } from './gate.ts';
import { homeFolder, serverTables, skillWords, toolFiles } from './given-tools.ts';
import { outputWords } from './output-schema.ts';
import { tomlText } from './toml-text.ts';

export interface Recipe {
  readonly binary: string;
  readonly model: string;
  readonly env: Readonly<Record<string, string>>;
}

export function codexHome(home: string): string {
  return join(home, homeFolder);
}

export function launchOrder(recipe: Recipe, agent: AgentContext): LaunchOrder {
  const { home, brake = false } = agent;
  const { OPENAI_BASE_URL: baseUrl, ...env } = recipe.env;
  const files: HomeFile[] = [
    gateFileOf(brake ? 'shut' : 'open'),
    { path: 'config.toml', text: configOf(recipe, agent, baseUrl) },
    ...toolFiles(agent),
  ];
  return {
    argv: [recipe.binary, 'app-server'],
    env: { ...env, HOME: home, CODEX_HOME: codexHome(home) },
    files: files.map((file) => ({ ...file, path: join(homeFolder, file.path) })),
    ...(agent.tools === undefined || agent.tools.programs.length === 0 ? {} : { reads: agent.tools.programs }),
  };
}

const keyVariable = 'OPENAI_API_KEY';

const settingNames = ['model', 'effort', 'systemPrompt', serversSetting];

/** One sentence on the first setting that means nothing here; null = all do. */
export function codexSettingsFlaw(settings: Readonly<Record<string, string>>): string | null {
  return unknownSetting('codex', settingNames, settings);
}

/** TOML, whose strings, lists and tables are JSON here. */
function configOf({ model }: Recipe, agent: AgentContext, baseUrl: string | undefined): string {
  const { settings, schema = null, home } = agent;
  const words = [settings['systemPrompt'], skillWords(agent), schema === null ? undefined : outputWords(schema)].filter(
    (text) => text !== undefined,
  );
  const trusted = `${join(codexHome(home), 'config.toml')}:pre_model_request:0:0`;
  return [
    `model = ${tomlText(settings['model'] ?? model)}`,
    ...(settings['effort'] === undefined ? [] : [`model_reasoning_effort = ${tomlText(settings['effort'])}`]),
    ...(words.length === 0 ? [] : [`developer_instructions = ${tomlText(words.join('\n\n'))}`]),
    // It reads AGENTS.md by itself.
    'project_doc_fallback_filenames = ["CLAUDE.md"]',
    'check_for_update_on_startup = false',
    'model_provider = "signalbox"',
    '[model_providers.signalbox]',
    // By this name Codex knows a service that sums conversations up itself; others may not.
    `name = ${tomlText(baseUrl === undefined ? 'OpenAI' : 'custom')}`,
    `base_url = ${tomlText(baseUrl ?? 'https://api.openai.com/v1')}`,
    'wire_api = "responses"',
    // Its own provider takes no key from the environment here.
    `env_key = ${tomlText(keyVariable)}`,
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
    // It would list those of the repository, which nobody may have trusted.
    '[skills]',
    'include_instructions = false',
    // What the agent runs need not have the key.
    '[shell_environment_policy]',
    `exclude = ["${keyVariable}", "CODEX_API_KEY"]`,
    '[[hooks.PreModelRequest]]',
    '[[hooks.PreModelRequest.hooks]]',
    'type = "command"',
    `command = ${tomlText(gateCommand)}`,
    `timeout = ${gateTimeoutS}`,
    `[hooks.state.${tomlText(trusted)}]`,
    `trusted_hash = ${tomlText(gateHash)}`,
    ...serverTables(agent),
    '',
  ].join('\n');
}
