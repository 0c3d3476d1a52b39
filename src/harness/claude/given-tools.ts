// Tools of the user's and of a trusted repository, as Claude Code takes them: files in the agent's own configuration directory, which it
// reads as settings of its user. The repository's own files are not read at all, so nothing that changes there later can run.

import { join } from 'node:path';
import { chosenServers } from '../../model/core/agent-tools.ts';
import type { AgentContext, HomeFile } from '../../ports/harness.ts';

/** Its directory of settings and sessions below the agent's home. Sharing one would log the user out. */
export const configDirectory = 'claude';

export interface GivenTools {
  /** The value of `--setting-sources`. */
  readonly settingSources: 'user' | '';
  /** The file with the servers, below the home; null = there are none. */
  readonly serversFile: string | null;
  readonly instructions: string | undefined;
  readonly files: readonly HomeFile[];
  readonly reads: readonly string[];
}

export function givenTools({ tools, settings }: Pick<AgentContext, 'tools' | 'settings'>): GivenTools {
  if (tools === undefined)
    return { settingSources: '', serversFile: null, instructions: undefined, files: [], reads: [] };
  const servers = chosenServers(tools, settings);
  const hasServers = Object.keys(servers).length > 0;
  const skills = tools.skills.map(({ path, data, executable }) => ({
    path: join(configDirectory, 'skills', path),
    text: Buffer.from(data, 'base64'),
    executable,
  }));
  const text = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;
  return {
    settingSources: tools.settings === undefined && skills.length === 0 ? '' : 'user',
    serversFile: hasServers ? serversFile : null,
    instructions: tools.instructions['claude'],
    files: [
      // Written at every launch: the agent can change files of its home.
      { path: join(configDirectory, 'settings.json'), text: text(tools.settings ?? {}) },
      ...(hasServers ? [{ path: serversFile, text: text({ mcpServers: servers }) }] : []),
      ...skills,
    ],
    reads: tools.programs,
  };
}

const serversFile = 'mcp-servers.json';
