// `signalbox doctor`: what works on this machine, what is weaker than it could be, and how to mend it. It
// looks and starts no daemon; it changes nothing unless it is told to mend.

import { agentFindings } from '../../../doctor/agent-findings.ts';
import type { Finding } from '../../../doctor/finding.ts';
import { homeFindings } from '../../../doctor/home-findings.ts';
import { machineFindings } from '../../../doctor/machine-findings.ts';
import { type LoginView, loginList, statusView } from '../../../wire/status-views.ts';
import type { Client } from '../../client/client.ts';
import { exits, type Verb } from '../../client/context.ts';
import { plainLine } from '../../text/plain-text.ts';
import { repairAll, repairFindings } from './doctor-fix.ts';

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
  const works = !findings.some(({ state, vital }) => state === 'missing' && vital);
  if (json === true) {
    await terminal.print(`${JSON.stringify({ works, findings, ...(fixed === null ? {} : { fixed }) })}\n`);
  } else {
    if (fixed !== null) await terminal.print(`${fixedWords(fixed)}\n\n`);
    await terminal.print(report(findings, works));
  }
  return works ? exits.ok : exits.daemon;
};

function fixedWords(fixed: readonly string[]): string {
  if (fixed.length === 0) return 'There was nothing that could be mended from here.';
  return fixed.map((line) => `mended   ${plainLine(line)}`).join('\n');
}

/** null: no daemon that could tell. */
async function loginsOf(client: Client): Promise<readonly LoginView[] | null> {
  // What is wrong with a daemon that does not answer is said elsewhere.
  return client.getIfUp('/logins', loginList).then(
    (told) => told?.logins ?? null,
    () => null,
  );
}

function report(findings: readonly Finding[], works: boolean): string {
  const width = Math.max(...findings.map(({ name }) => name.length));
  const lines = findings.flatMap(({ name, state, says, mend }) => {
    const line = `${state.padEnd(7)}  ${name.padEnd(width)}  ${plainLine(says)}`;
    return mend === null ? [line] : [line, `${' '.repeat(width + 11)}→ ${plainLine(mend)}`];
  });
  const weaker = findings.filter(({ state }) => state !== 'ok').length;
  const though =
    weaker === 0
      ? ''
      : weaker === 1
        ? ', though one thing could be better'
        : `, though ${weaker} things could be better`;
  const verdict = works ? `Runs can work here${though}.` : 'Runs cannot work here until what is missing is there.';
  return `${lines.join('\n')}\n\n${verdict}\n`;
}
