// Tools of an agent that works under the limits of a task: never more than the task has.

import type { TaskSpec } from './spec.ts';

/** Of another agent's settings: its tools are among those of `parent`, and what that may not use it may not either. */
export function narrowed(parent: TaskSpec, settings: TaskSpec['settings']): TaskSpec['settings'] {
  const { builtInTools: own, disallowedTools: denied } = parent.settings;
  const tools = settings['builtInTools'];
  const kept = own === undefined ? tools : tools === undefined ? own : among(tools, own);
  const out = [...new Set([...words(denied), ...words(settings['disallowedTools'])])].join(',');
  const { builtInTools: _, disallowedTools: _d, ...rest } = settings;
  return {
    ...rest,
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
