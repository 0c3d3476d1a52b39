// Why a task does not go on, as people read it.

import { waitWords } from '../src/cli/text/wait-text.ts';
import type { Run, Task } from '../src/model/core/run.ts';
import { waitOf } from '../src/model/dispatch/find-wait.ts';
import type { Host } from '../src/model/host/host.ts';
import { sceneOf } from '../src/model/parking/admit.ts';

export function waitReason(run: Run, task: Task, host: Host, now: number): string | null {
  const wait = waitOf(run, task, sceneOf(host, [run], now));
  return wait === null ? null : waitWords(wait, now);
}
