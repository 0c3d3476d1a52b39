// `signalbox down`: the daemon ends and its agents go on.

import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { Fault } from '../std/fault.ts';
import { errnoOf } from '../std/files.ts';
import { accepted, statusView } from '../wire/views.ts';
import { exits, type Verb } from './context.ts';

const leaveMaxMs = 20_000;
const leavePauseMs = 20;

export const down: Verb<object> = async ({ client, terminal }) => {
  const status = await client.getIfUp('/status', statusView);
  if (status === null) {
    await terminal.print('No daemon is running.\n');
    return exits.ok;
  }
  await client.post('/down', {}, accepted);
  const deadline = performance.now() + leaveMaxMs;
  while (isThere(status.pid)) {
    if (performance.now() > deadline) {
      throw new Fault('timed_out', `the daemon (pid ${status.pid}) does not leave; its log says why`);
    }
    await delay(leavePauseMs);
  }
  const agents = status.slots.taken;
  await terminal.print(
    `The daemon is down.${agents === 0 ? '' : ` ${agents} agents go on; the next start takes them up again.`}\n`,
  );
  return exits.ok;
};

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return errnoOf(error) !== 'ESRCH';
  }
  // Ended, but not yet taken note of by whoever inherited it.
  return !isZombie(pid);
}

function isZombie(pid: number): boolean {
  try {
    return /^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
