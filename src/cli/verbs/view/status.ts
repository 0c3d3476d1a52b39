// `signalbox status`: the state of the daemon. Does not start one.

import { localTime } from '../../../std/clock.ts';
import { plainLine, shownJson } from '../../../std/plain-text.ts';
import { statusView } from '../../../wire/status-views.ts';
import { exits, type Verb } from '../../client/context.ts';
import { closedWords } from '../../text/account-text.ts';
import { clockNote } from '../../text/clock-note.ts';
import { seconds } from '../../text/event-text.ts';
import { wrapLine } from '../../text/wrap-line.ts';

export const status: Verb<{ readonly json?: boolean }> = async ({ client, place, terminal }, _args, { json }) => {
  const found = await client.getIfUp('/status', statusView);
  if (json === true) {
    await terminal.print(`${shownJson(found === null ? { running: false } : { running: true, ...found })}\n`);
    return exits.ok;
  }
  if (found === null) {
    await terminal.print(`No daemon is running for ${place.home}. The next command that needs one starts it.\n`);
    return exits.ok;
  }
  const { kind, why } = found.confinement;
  const lines = [
    `daemon     ${found.version}, pid ${found.pid}, up ${seconds(Math.max(0, Date.now() - found.startedAt))}`,
    `home       ${found.home}`,
    `slots      ${found.slots.taken} of ${found.slots.all} in use`,
    `open runs  ${found.openRuns}`,
    `agents     ${kind === 'namespace' ? 'each in its own pid namespace' : `not in a pid namespace: ${plainLine(why ?? '')}`}`,
    `sandbox    ${found.sandbox.works ? found.sandbox.says : `none: ${plainLine(found.sandbox.why ?? '')}; agents ask before every action`}`,
  ];
  if (found.prices.flaw !== null) lines.push(`prices     ${plainLine(found.prices.flaw)}`);
  for (const each of found.closed) lines.push(`waits      ${plainLine(closedWords(each, Date.now()))}`);
  const clock = clockNote([found.startedAt], Date.now());
  if (clock !== null) lines.push(`clock      ${clock}`);
  if (found.paused !== null) {
    const { by, since } = found.paused;
    lines.push(`paused     all agents, by ${plainLine(by)} since ${localTime(since, Date.now())}; signalbox unpause`);
  }
  if (found.frozen) lines.push('frozen     the disk is nearly full: agents continue when there is space');
  if (found.trouble !== null) lines.push(`trouble    ${plainLine(found.trouble.message)}`);
  for (const { stream, reason } of found.quarantined) lines.push(`quarantine ${stream}: ${plainLine(reason)}`);
  await terminal.print(`${lines.flatMap((line) => wrapLine(line, terminal.columns, 11)).join('\n')}\n`);
  return exits.ok;
};
