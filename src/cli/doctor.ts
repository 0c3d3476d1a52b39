// `signalbox doctor`: what works on this machine, what is weaker than it could be, and how to mend it. It looks and
// changes nothing, and starts no daemon.

import { type LoginView, loginList } from '../wire/views.ts';
import type { Client } from './client.ts';
import { exits, type Verb } from './context.ts';
import { agentFindings } from './doctor-agents.ts';
import { homeFindings } from './doctor-home.ts';
import { machineFindings } from './doctor-machine.ts';
import type { Finding } from './finding.ts';
import { plainLine } from './plain-text.ts';

export const doctor: Verb<{ readonly json?: boolean }> = async ({ lent, place, client, terminal }, _args, { json }) => {
  const [diagnosis, logins] = await Promise.all([lent.diagnosis(), lent.logins()]);
  const parts = await Promise.all([
    machineFindings(diagnosis),
    homeFindings(place, diagnosis, client),
    loginsOf(client).then((daemon) => agentFindings(diagnosis, logins, daemon)),
  ]);
  const findings = parts.flat();
  const works = !findings.some(({ state, vital }) => state === 'missing' && vital);
  if (json === true) await terminal.print(`${JSON.stringify({ works, findings })}\n`);
  else await terminal.print(report(findings, works));
  return works ? exits.ok : exits.daemon;
};

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
