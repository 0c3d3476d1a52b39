// The user's own tools and those of a trusted repository, together. Of two with one name the user's own counts: a repository cannot
// replace it.

import { type AgentTools, serverNames, serversSetting, skillNames } from '../../model/core/agent-tools.ts';

/** null = there are none. */
export function joinedTools(own: AgentTools, repository: AgentTools | null): AgentTools | null {
  const mine = new Set(skillNames(own));
  const skills = (repository?.skills ?? []).filter(({ path }) => !mine.has(path.split('/')[0] ?? ''));
  const tools: AgentTools = {
    servers: { ...repository?.servers, ...own.servers },
    ...(repository?.settings === undefined ? {} : { settings: repository.settings }),
    skills: [...own.skills, ...skills],
    instructions: own.instructions,
    programs: own.programs,
  };
  const { settings, ...lists } = tools;
  return settings === undefined && Object.values(lists).every((each) => Object.keys(each).length === 0) ? null : tools;
}

/** The servers that tasks choose by name, each once. */
export function namedServers(
  tasks: readonly { readonly settings?: Readonly<Record<string, string>> | undefined }[],
): string[] {
  return [...new Set(tasks.flatMap(({ settings }) => serverNames(settings?.[serversSetting] ?? '')))];
}
