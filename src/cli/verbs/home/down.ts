// `signalbox down`: stops the daemon; its agents continue, or are stopped first.

import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { Fault } from '../../../std/fault.ts';
import { errnoOf } from '../../../std/files.ts';
import { shownJson } from '../../../std/plain-text.ts';
import { statusView } from '../../../wire/status-views.ts';
import { accepted, runList } from '../../../wire/views.ts';
import { type Context, exits, type Verb } from '../../client/context.ts';

const leaveMaxMs = 20_000;
const leavePauseMs = 20;

export const down: Verb<{ readonly stopAgents?: boolean; readonly json?: boolean }> = async (
  context,
  _words,
  { stopAgents, json },
) => {
  const { client, terminal } = context;
  // Agents may run without a daemon, and only a daemon can stop them.
  const seen = await client.getIfUp('/status', statusView);
  if (stopAgents === true) await stopAll(context);
  else if (seen === null) {
    await terminal.print(json === true ? `${shownJson({ pid: null, agents: 0 })}\n` : 'No daemon is running.\n');
    return exits.ok;
  }
  const status = await client.get('/status', statusView);
  await client.post('/down', {}, accepted);
  const deadline = performance.now() + leaveMaxMs;
  while (isThere(status.pid)) {
    if (performance.now() > deadline) {
      throw new Fault(
        'timed_out',
        `the daemon (pid ${status.pid}) does not exit; see daemon.log in its home directory`,
      );
    }
    await delay(leavePauseMs);
  }
  const agents = status.slots.taken;
  if (json === true) {
    await terminal.print(`${shownJson({ pid: status.pid, agents })}\n`);
    return exits.ok;
  }
  await terminal.print(
    `The daemon is down.${agents === 0 ? '' : ` ${agents === 1 ? '1 agent continues' : `${agents} agents continue`}; the next daemon adopts ${agents === 1 ? 'it' : 'them'}.`}\n`,
  );
  return exits.ok;
};

/** Stops every open run. Work is kept and runs can be resumed. */
async function stopAll({ client, terminal }: Context): Promise<void> {
  const { runs } = await client.get('/runs?all=0', runList);
  for (const { id } of runs) await client.post(`/runs/${id}/stop`, {}, accepted);
  if (runs.length > 0)
    terminal.note(
      `Stopping ${runs.length === 1 ? '1 run' : `${runs.length} runs`}; continue one later with "signalbox resume <run>".`,
    );
  for (;;) {
    const { openRuns } = await client.get('/status', statusView);
    if (openRuns === 0) return;
    await delay(stopPauseMs);
  }
}

const stopPauseMs = 200;

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return errnoOf(error) !== 'ESRCH';
  }
  // A zombie has ended; its parent has not reaped it yet.
  return !isZombie(pid);
}

function isZombie(pid: number): boolean {
  try {
    return /^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
