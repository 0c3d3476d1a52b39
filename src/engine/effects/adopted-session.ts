// Puts the copy of an adopted session where its agent looks for it, before the first launch.

import type { Attempt } from '../../model/core/attempt.ts';
import type { Run, Task } from '../../model/core/run.ts';
import type { Ports } from '../../ports/engine-ports.ts';
import type { AgentContext } from '../../ports/harness.ts';

/** Once it is there, it is the agent's: a later launch leaves it alone. */
export async function placeAdopted(
  ports: Ports,
  run: Run,
  { spec }: Task,
  attempt: Attempt,
  { agentId, session }: Pick<AgentContext, 'agentId' | 'session'>,
): Promise<void> {
  const { adopts } = spec;
  const runId = run.spec?.id;
  if (adopts === undefined || session !== adopts.session || ports.adopted === undefined || runId === undefined) return;
  const path = ports.harness(spec.harness)?.adopted?.(session, attempt.workspace.path);
  if (path === undefined || attempt.launches.count > 1) return;
  if ((await ports.homes.tail(agentId, path, 0)).lines.length > 0) return;
  await ports.homes.prepare(agentId, [{ path, text: await ports.adopted(runId) }]);
}
