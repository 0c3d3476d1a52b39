// Reminders of asks that nobody answers.

import { expect, it } from 'vitest';
import { dueReminders, nextReminder } from '../../src/model/asks/reminders.ts';
import { questionId } from '../../src/model/core/ids.ts';
import { emptyHost, evolveHost } from '../../src/model/host/host.ts';
import { settle } from './plan-story.ts';
import { submitted, task, taskId } from './story.ts';

it('are due once per period, also after a long time without a daemon, and not after the answer [ASK-10]', () => {
  const gate = { message: 'Ship it?', shows: [], form: [], timeoutMs: null, onTimeout: 'reject', who: [] } as const;
  const story = submitted(task('g', { kind: 'gate', gate }));
  settle(story);
  const askId = questionId(taskId('g'), 1);
  const host = emptyHost();
  const opened = story.run.asks.get(askId)?.openedAt ?? 0;
  const due = (at: number): string[] => {
    const found = dueReminders(host, [story.run], opened + at, 100);
    for (const notice of found) evolveHost(host, { type: 'notice.raised', at, ...notice });
    return found.map(({ key }) => key);
  };
  const told = (key: string) => evolveHost(host, { type: 'notice.sent', at: 0, key });
  expect(due(99)).toEqual([]);
  expect(nextReminder([story.run], opened + 99, 100)).toBe(opened + 100);
  expect(due(100)).toEqual([`asks ${askId} #1`]);
  expect(due(250)).toEqual([]);
  told(`asks ${askId} #1`);
  expect(due(150)).toEqual([]);
  expect(due(730)).toEqual([`asks ${askId} #7`]);
  told(`asks ${askId} #7`);
  story.tell({ type: 'answerAsk', askId, approved: true, by: 'ann', message: null, remember: null });
  expect(due(2_000)).toEqual([]);
  expect(nextReminder([story.run], opened, 100)).toBeNull();
});
