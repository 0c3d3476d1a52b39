// The tools that a run's agents get besides those of Signalbox: MCP servers, settings, skills. The definitions may hold secrets, so
// they are in a file for each run that only its owner can read. The journal has their names and their hash.

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { type AgentTools, hookNames, skillNames, type ToolsNamed } from '../model/core/agent-tools.ts';
import { Fault } from '../std/fault.ts';
import { writeAtomic } from '../std/files.ts';
import { ownDirectory, readOwnFile } from '../std/own-directory.ts';

export interface RunTools {
  /** Replaces the file of the run. */
  store(runId: string, tools: AgentTools): Promise<ToolsNamed>;
  /** Throws a Fault that says why an agent of this run cannot have them. */
  read(runId: string): AgentTools;
}

export function openRunTools(home: string): RunTools {
  const directory = join(home, 'tools');
  const path = (runId: string): string => join(directory, `${runId}.json`);
  return {
    async store(runId, tools) {
      const text = JSON.stringify(tools);
      await ownDirectory(home);
      await ownDirectory(directory);
      await writeAtomic(path(runId), `${text}\n`);
      return {
        digest: createHash('sha256').update(text).digest('hex'),
        servers: Object.keys(tools.servers).sort(),
        skills: skillNames(tools),
        hooks: hookNames(tools),
      };
    },
    read(runId) {
      const found = readOwnFile(directory, path(runId));
      if (found.kind === 'read') return JSON.parse(found.bytes.toString('utf8')) as AgentTools;
      const why = found.kind === 'none' ? `${path(runId)} is gone` : `${found.path} ${found.flaw}`;
      throw new Fault('agent_unusable', `the tools of this run cannot be read: ${why}; start the run again`);
    },
  };
}
