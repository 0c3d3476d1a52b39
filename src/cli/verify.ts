// `signalbox verify`: recomputes every hash of the journal. Reads the file itself, with or without a daemon.

import { exits, type Verb } from './context.ts';
import { plainLine } from './plain-text.ts';

export const verify: Verb<{ readonly json?: boolean }> = async ({ lent, terminal }, [runId], { json }) => {
  const defects = await lent.verify(runId ?? null);
  if (json === true) {
    await terminal.print(`${JSON.stringify({ defects })}\n`);
  } else if (defects.length === 0) {
    await terminal.print('The journal is whole: every hash agrees.\n');
  }
  if (defects.length === 0) return exits.ok;
  terminal.note(`The journal is damaged: ${defects.length === 1000 ? 'at least ' : ''}${defects.length} defects.`);
  for (const { stream, seq, detail } of defects.slice(0, 20)) {
    terminal.note(plainLine(stream === '' ? detail : `${stream} event ${seq}: ${detail}`));
  }
  terminal.note('Nothing was changed. Keep the file; restore it from a backup before you go on.');
  return exits.failed;
};
