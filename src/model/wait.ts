// Why a task is not at work: the wait's reason in words. Every unsettled task that no process works on has one.

import { openGates } from './evolve-gate.ts';
import { freeSlots, type Host } from './host.ts';
import { holderOf } from './interlock.ts';
import type { Run, Task } from './run.ts';

export function waitReason(run: Run, task: Task, host: Host): string | null {
  switch (task.state) {
    case 'blocked':
      return `needs ${unmetNames(run, task).join(', ')}`;
    case 'delayed':
      return `attempt ${task.attempts + 1} after a pause (${task.lastFailure?.reason ?? 'unknown'})`;
    case 'ready': {
      const holder = holderOf(run, task);
      if (holder !== null) return `path ${holder.path} held by task "${holder.task.spec.name}"`;
      if (run.waiting.has(task.spec.id)) return 'whoever wants the same paths and was first';
      if (freeSlots(host) === 0) return `a slot: all ${host.slots} are taken`;
      if (run.spec !== null && run.live.size >= run.spec.limits.parallelMax) {
        return `a slot of this run: all ${run.spec.limits.parallelMax} are taken`;
      }
      return 'to be started';
    }
    case 'active': {
      const gate = task.attempt === null ? undefined : openGates(task.attempt)[0];
      if (gate !== undefined) return `a person: may it use ${gate.ask.tool}? (${gate.id})`;
      const [failing] = Object.entries(task.attempt?.failing ?? {});
      if (failing === undefined) return null;
      const [effect, { times, message }] = failing;
      return `${effect} failed ${times} times: ${message}`;
    }
    case 'settled':
      return null;
  }
}

function unmetNames(run: Run, task: Task): string[] {
  return task.spec.needs.flatMap((id) => {
    const need = run.tasks.get(id);
    return need === undefined || need.outcome?.kind === 'succeeded' ? [] : [need.spec.name];
  });
}
