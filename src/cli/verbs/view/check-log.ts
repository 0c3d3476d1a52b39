// `signalbox logs --check`: the output of a check of the newest attempt, on its own work and on the run's branch.

import { Fault } from '../../../std/fault.ts';
import { plainLine, printedText } from '../../../std/plain-text.ts';
import type { EvidenceView } from '../../../wire/evidence-views.ts';
import { transcriptHeader } from '../../../wire/transcript-headers.ts';
import { gone } from '../../client/client.ts';
import { type Context, exits } from '../../client/context.ts';
import { taskOf } from '../../client/copy-transcripts.ts';
import { findTask } from '../../client/find-id.ts';

export async function printCheck(
  context: Context,
  word: string | undefined,
  { check, raw }: { readonly check: string; readonly raw: boolean },
): Promise<number> {
  const { run, taskId } = await findTask(context, word);
  const { name, attempt } = taskOf(run, taskId);
  const items = [...(attempt?.checks ?? []), ...(attempt?.branchChecks ?? [])];
  const wanted = items.filter((item) => item.check === check);
  if (wanted.length === 0) throw new Fault('not_found', `${name} has no check "${check}": ${namesOf(items)}`);
  for (const item of wanted) await printLog(context, item, raw);
  return exits.ok;
}

async function printLog({ client, terminal }: Context, item: EvidenceView, raw: boolean): Promise<void> {
  const said = `${item.check}: ${item.detail}${item.known ? ', cached result' : ''}`;
  if (item.log === null) return terminal.note(plainLine(`[${said}; no output]`));
  const response = await client.open(`/checks/${item.log}`, new AbortController().signal);
  const file = decodeURIComponent(String(response.headers[transcriptHeader] ?? item.log));
  terminal.note(plainLine(`[${said}; ${file}]`));
  const chunks: Buffer[] = [];
  try {
    // A few MiB at most.
    for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
  } catch (error) {
    throw gone(error);
  }
  const printed = Buffer.concat(chunks);
  await terminal.print(raw && !process.stdout.isTTY ? printed : printedText(printed.toString('utf8')));
}

function namesOf(items: readonly EvidenceView[]): string {
  if (items.length === 0) return 'no check has run yet';
  return `its checks are ${[...new Set(items.map(({ check }) => `"${check}"`))].join(', ')}`;
}
