// Narrows the tools and MCP servers of an agent to those of its parent's task.

import { noServers, serversSetting } from './agent-tools.ts';
import type { TaskSpec } from './spec.ts';

/** Settings of another agent, narrowed: its tools are among those of `parent`, and it inherits what `parent` may not use. */
export function narrowed(parent: TaskSpec, settings: TaskSpec['settings']): TaskSpec['settings'] {
  const { builtInTools: own, disallowedTools: denied } = parent.settings;
  const tools = settings['builtInTools'];
  const kept = own === undefined ? tools : tools === undefined ? own : among(tools, own);
  const out = [...new Set([...words(denied), ...words(settings['disallowedTools'])])].join(',');
  const { builtInTools: _, disallowedTools: _d, ...rest } = settings;
  const [ofParent, asked] = [parent.settings[serversSetting], settings[serversSetting]];
  const servers = ofParent === undefined || asked === undefined ? (ofParent ?? asked) : among(asked, ofParent);
  return {
    ...rest,
    ...(servers === undefined ? {} : { [serversSetting]: servers === '' ? noServers : servers }),
    ...(kept === undefined ? {} : { builtInTools: kept }),
    ...(out === '' ? {} : { disallowedTools: out }),
  };
}

function among(tools: string, own: string): string {
  const all = words(own);
  return words(tools)
    .filter((tool) => all.includes(tool))
    .join(',');
}

function words(text: string | undefined): string[] {
  return (text ?? '')
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}
