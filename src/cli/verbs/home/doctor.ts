// `signalbox doctor`: what works on this machine, what is degraded and how to fix it. Starts no daemon; changes nothing
// without --fix.

import { agentFindings } from '../../../doctor/agent-findings.ts';
import type { Finding } from '../../../doctor/finding.ts';
import { homeFindings } from '../../../doctor/home-findings.ts';
import { machineFindings } from '../../../doctor/machine-findings.ts';
import { findRepairs } from '../../../doctor/repairs.ts';
import { diskFault } from '../../../std/files.ts';
import { plainLine, shownJson } from '../../../std/plain-text.ts';
import { type LoginView, loginList, statusView } from '../../../wire/status-views.ts';
import type { Client } from '../../client/client.ts';
import { exits, type Place, type Verb } from '../../client/context.ts';
import { wrapLine } from '../../text/wrap-line.ts';

export interface DoctorOptions {
  readonly fix?: boolean;
  readonly json?: boolean;
}

export const doctor: Verb<DoctorOptions> = async ({ lent, place, client, terminal }, _args, { fix, json }) => {
  const fixed = fix === true ? await repairAll(place) : null;
  const [diagnosis, logins] = await Promise.all([lent.diagnosis(), lent.logins()]);
  const parts = await Promise.all([
    machineFindings(diagnosis),
    homeFindings(place.home, diagnosis, () => client.getIfUp('/status', statusView)),
    repairFindings(place),
    loginsOf(client).then((daemon) => agentFindings(diagnosis, logins, daemon)),
  ]);
  const findings = parts.flat();
  const works = !findings.some(({ state, required }) => state === 'missing' && required);
  if (json === true) {
    await terminal.print(`${shownJson({ works, findings, ...(fixed === null ? {} : { fixed }) })}\n`);
  } else {
    if (fixed !== null) await terminal.print(`${fixedWords(fixed)}\n\n`);
    await terminal.print(report(findings, works, terminal.columns));
  }
  return works ? exits.ok : exits.daemon;
};

function fixedWords(fixed: readonly string[]): string {
  if (fixed.length === 0) return 'Nothing to fix.';
  return fixed.map((line) => `fixed     ${plainLine(line)}`).join('\n');
}

/** null: no daemon is running. */
async function loginsOf(client: Client): Promise<readonly LoginView[] | null> {
  // Another finding reports a daemon that does not answer.
  return client.getIfUp('/logins', loginList).then(
    (told) => told?.logins ?? null,
    () => null,
  );
}

function report(findings: readonly Finding[], works: boolean, columns: number): string {
  const width = Math.max(...findings.map(({ name }) => name.length));
  const lines = findings.flatMap(({ name, state, says, fix }) => {
    const head = `${state.padEnd(8)}  ${name.padEnd(width)}  `;
    const lines = wrapLine(head + plainLine(says), columns, head.length);
    const under = ' '.repeat(head.length);
    return fix === null ? lines : [...lines, ...wrapLine(`${under}→ ${plainLine(fix)}`, columns, head.length + 2)];
  });
  const flawed = findings.filter(({ state }) => state !== 'ok').length;
  const but = flawed === 0 ? '' : flawed === 1 ? '; 1 finding is not ok' : `; ${flawed} findings are not ok`;
  const verdict = works ? `Runs work here${but}.` : 'Runs do not work here until every missing requirement is fixed.';
  return `${lines.join('\n')}\n\n${verdict}\n`;
}

/** What was fixed, one sentence each. */
async function repairAll(place: Place): Promise<readonly string[]> {
  const done: string[] = [];
  for (const { path, flaw, act } of await findRepairs(place)) {
    try {
      const word = await act();
      if (word !== null) done.push(`${path} ${flaw}: ${word}.`);
    } catch (error) {
      throw diskFault(error, path);
    }
  }
  return done;
}

/** What --fix would fix. None of it keeps a run from working. */
async function repairFindings(place: Place): Promise<readonly Finding[]> {
  const repairs = await findRepairs(place);
  const [first] = repairs;
  if (first === undefined) return [];
  const more = repairs.length === 1 ? '' : ` (and ${repairs.length - 1} more)`;
  const says = `${first.path} ${first.flaw}${more}.`;
  return [{ name: 'leftovers', required: false, state: 'degraded', says, fix: 'Run `signalbox doctor --fix`.' }];
}
