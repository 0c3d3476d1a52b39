// An agent's last words as a review shows them.

import { expect, it } from 'vitest';
import { saidLines } from './review.ts';

it("an agent's last words are shown from their end, or marked if only their beginning is known [LAND-22]", () => {
  const said = Array.from({ length: 12 }, (_, n) => `line ${n + 1}`).join('\n');
  const lines = saidLines({ id: 'task_1', said, saidCut: false });
  expect([lines[1], lines[2], lines.at(-1)]).toEqual(['    …', '    line 3', '    line 12']);
  expect(saidLines({ id: 'task_1', said, saidCut: true })).toEqual([
    ...lines,
    '    … (cut; full text: signalbox logs task_1)',
  ]);
  expect(saidLines({ id: 'task_1', said: '', saidCut: false })).toEqual([]);
});
