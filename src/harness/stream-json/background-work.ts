// Work of the agent besides its turn. It announces commands and subagents alike, also those that it waits for; which of them
// continue in the background shows when the call that started them returns.

import type { AgentEvent } from '../../model/session/agent-fact.ts';
import { nameIn, type State, withName, withoutName } from './state.ts';
import { type Json, nameMax, nameOrNull, objectIn, textIn } from './untrusted-json.ts';

interface Changed {
  readonly state: State;
  readonly events: readonly AgentEvent[];
}

const whatMax = 200;

/** null = nothing changed. */
export function readTask(state: State, message: Json): Changed | null {
  const id = nameOrNull(message['task_id']);
  if (id === null) return null;
  if (message['subtype'] === 'task_started') {
    const background = message['is_backgrounded'] === true;
    const what = textIn(message['description']).slice(0, whatMax);
    const tasks = withName(state.tasks, id, {
      toolUseId: textIn(message['tool_use_id']).slice(0, nameMax),
      what,
      background,
    });
    return { state: { ...state, tasks }, events: background ? [{ kind: 'backgroundStarted', id, what }] : [] };
  }
  const task = nameIn(state.tasks, id);
  const status = textIn(message['status'] ?? objectIn(message['patch'])['status']);
  if (task === undefined || !isOver(status)) return null;
  return {
    state: { ...state, tasks: withoutName(state.tasks, id) },
    events: task.background ? [{ kind: 'backgroundEnded', id, status }] : [],
  };
}

/** These calls have returned. The work that they started continues only if the result says so. */
export function endTasks(state: State, toolUseIds: readonly string[], result: Json): Changed | null {
  const goesOn = typeof result['backgroundTaskId'] === 'string' || result['isAsync'] === true;
  const events: AgentEvent[] = [];
  let { tasks } = state;
  for (const [id, task] of Object.entries(tasks)) {
    if (task.background || !toolUseIds.includes(task.toolUseId)) continue;
    tasks = goesOn ? { ...tasks, [id]: { ...task, background: true } } : withoutName(tasks, id);
    if (goesOn) events.push({ kind: 'backgroundStarted', id, what: task.what });
  }
  return tasks === state.tasks ? null : { state: { ...state, tasks }, events };
}

function isOver(status: string): boolean {
  return /^(completed|failed|stopped|killed|cancelled)$/.test(status);
}
