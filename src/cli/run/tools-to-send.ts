// The tools that a run's agents get besides those of Signalbox: of the repository if the user trusts its present content, and of the
// user's own what the configuration names.

import { join } from 'node:path';
import type { Configuration } from '../../configuration/configuration.ts';
import { joinedTools, namedServers } from '../../configuration/tools/joined-tools.ts';
import { ownTools } from '../../configuration/tools/own-tools.ts';
import { toolsInShort } from '../../configuration/tools/tool-words.ts';
import { Fault } from '../../std/fault.ts';
import { plainLine } from '../../std/plain-text.ts';
import type { CreateRunInput } from '../../wire/request-schemas.ts';
import type { Context } from '../client/context.ts';
import { type TrustHere, trustHere } from '../client/repository-trust.ts';

type Tools = NonNullable<CreateRunInput['tools']>;

/** Says in a line what is held back. Throws a Fault where a task names a server that it cannot have. */
export async function toolsToSend(
  context: Context,
  top: string | null,
  { values }: Configuration,
  tasks: CreateRunInput['tasks'],
): Promise<{ readonly tools?: Tools }> {
  const { place, terminal } = context;
  const trust = top === null ? null : await trustHere(context, top);
  const kinds = values['your-tools'] ?? [];
  const home = place.userEnv['HOME'] ?? '/';
  const own = await ownTools(kinds, {
    home,
    claude: place.userEnv['CLAUDE_CONFIG_DIR'] ?? join(home, '.claude'),
    codex: place.userEnv['CODEX_HOME'] ?? join(home, '.codex'),
    top,
  });
  for (const line of own.flaws) terminal.note(plainLine(line));
  const tools = joinedTools(own.tools, trust?.state === 'trusted' ? trust.found.tools : null);
  const held = trust === null ? null : heldWords(trust);
  if (held !== null) terminal.note(plainLine(held));
  const missing = namedServers(tasks).filter((name) => tools === null || !Object.hasOwn(tools.servers, name));
  if (missing[0] !== undefined) throw new Fault('bad_request', missingWords(missing[0], trust, tools));
  if (tools === null) return {};
  if (trust?.state === 'trusted') terminal.note(plainLine(`Of this repository: ${toolsInShort(trust.found.tools)}.`));
  return { tools: structuredClone(tools) as Tools };
}

function heldWords({ state, found }: TrustHere): string | null {
  if (state === 'none' || state === 'trusted') return null;
  const what = toolsInShort(found.tools) || found.paths.join(', ');
  const why = state === 'changed' ? 'they have changed since you trusted them' : 'you have not trusted them';
  return `This repository has ${what}. Agents do not get them: ${why}. To look at them: signalbox trust`;
}

function missingWords(name: string, trust: TrustHere | null, tools: { readonly servers: object } | null): string {
  const isHeld = trust !== null && trust.state !== 'trusted' && Object.hasOwn(trust.found.tools.servers, name);
  if (isHeld)
    return `the MCP server "${name}" is in .mcp.json, which is not trusted: look at it with "signalbox trust"`;
  const there = Object.keys(tools?.servers ?? {}).join(', ') || 'none';
  return (
    `there is no MCP server "${name}" here; there are: ${there}. Servers come from .mcp.json of a trusted repository, ` +
    'and from your own if your configuration has "your-tools: [mcp]"'
  );
}
