// `signalbox verify`: checks the hashes of the journal, or a run or commit with signatures, trailers and artifacts. Reads
// the files itself, with or without a daemon.

import { plainLine, shownJson } from '../../../std/plain-text.ts';
import { exits, type Verb, type Verification } from '../../client/context.ts';
import { here } from '../../client/current-directory.ts';
import type { Terminal } from '../../terminal/terminal.ts';

export const verify: Verb<{ readonly json?: boolean }> = async ({ lent, terminal }, [word], { json }) => {
  const found = await lent.verify(word === undefined ? null : { word, cwd: here() });
  const { verified, unchecked, defects } = found;
  if (json === true) {
    await terminal.print(`${shownJson(word === undefined ? { defects } : { verified, unchecked, defects })}\n`);
  } else if (word !== undefined) {
    for (const { what, detail } of verified) await terminal.print(`ok  ${plainLine(`${what}: ${detail}`)}\n`);
    for (const { what, detail } of unchecked) await terminal.print(`--  ${plainLine(`${what}: ${detail}`)}\n`);
    const all = unchecked.length === 0 ? 'All checks passed' : 'All possible checks passed';
    if (defects.length === 0) await terminal.print(`${all}.\n`);
  } else if (defects.length === 0) {
    await terminal.print('The journal is intact: every hash matches.\n');
  }
  if (defects.length === 0) return exits.ok;
  tell(found, terminal);
  return exits.failed;
};

/** How many a store reports at most, and how many are shown. */
const toldMax = 1000;
const shownMax = 20;

function tell({ defects }: Verification, terminal: Terminal): void {
  const many = defects.length >= toldMax ? 'at least ' : '';
  terminal.note(`Verification failed: ${many}${defects.length} ${defects.length === 1 ? 'defect' : 'defects'}.`);
  let last = '';
  for (const { what, detail, means } of defects.slice(0, shownMax)) {
    terminal.note(plainLine(`BAD ${what}: ${detail}`));
    if (means !== last) terminal.note(`    ${plainLine(means)}`);
    last = means;
  }
  if (defects.length > shownMax) terminal.note(`${defects.length - shownMax} more: use --json to see all.`);
}
