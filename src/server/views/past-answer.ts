// Finds in the journal who answered an ask that the state of its run no longer holds.

import type { Answer } from '../../model/asks/ask.ts';
import { givenWords } from '../../model/asks/check-answer.ts';
import type { AskId, RunId } from '../../model/core/ids.ts';
import type { Journal } from '../../ports/journal.ts';

const pageSize = 1_000;

/** As in `ann has answered it with "Red" already, at …`; null = it was not answered. */
export async function pastAnswer(journal: Pick<Journal, 'read'>, runId: RunId, askId: AskId): Promise<string | null> {
  for (let after = 0; ; ) {
    const page = await journal.read(runId, after, pageSize);
    for (const { type, data, at } of page) {
      if (type !== 'ask.answered' || !data.includes(`"${askId}"`)) continue;
      const answer = JSON.parse(data) as Answer & { readonly askId: AskId };
      if (answer.askId === askId)
        return `${answer.by} has ${givenWords(answer)} already, at ${new Date(at).toISOString()}`;
    }
    const last = page.at(-1);
    if (last === undefined) return null;
    after = last.seq;
  }
}
