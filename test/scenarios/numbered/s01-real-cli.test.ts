// S1 on the real CLI: a parent whose window of 200,000 tokens is filled to 170,000, as the model counts it, and seven workers
// that report at once. Their whole reports would not fit; the notifications do, and the parent finishes in its session.

import { expect, it } from 'vitest';
import type { ModelRequest } from '../../model-server/model-server.ts';
import { until } from '../../until.ts';
import { notificationsIn, sha, wholeOf } from '../children/child-messages.ts';
import { answerOf } from '../spending/limits-answer.ts';
import { type Ground, model, onNewestCli } from '../spending/limits-real-cli.ts';
import { recordOf, runEnd, submit, taskNamed } from '../spending/limits-world.ts';

/** Many real processes on few cores. */
const timeoutMs = 110_000;
const testMs = 240_000;
const [windowTokens, filledTokens, bytesPerToken] = [200_000, 170_000, 4];
const sizes = [15_000, 18_700, 22_300, 26_000, 29_700, 33_300, 37_000];
const reports = sizes.map(answerOf);

/** As much as is missing, in pieces that the CLI passes on whole. */
const fill = {
  call: {
    tool: 'Bash',
    input: (_: string, bytes: number) => {
      const left = Math.min(28_000, Math.max(1, filledTokens * bytesPerToken - bytes));
      return { command: `head -c ${left} /dev/zero | tr '\\0' x`, description: 'fill' };
    },
  },
};

onNewestCli('S1: overflow', (begin) => {
  it(
    'S1: real CLI: seven reports of 15,000 to 37,000 characters reach a parent with little room, and it finishes [TELL-1]',
    async (context) => {
      const ground = begin(context, { SIGNALBOX_SLOTS: '8' });
      // It would fail if much more came into its window.
      const { run, own, filled } = await acted(ground, { how: 'fail', percent: 90 });
      expect(filled + reports.join('').length).toBeGreaterThan(windowTokens * bytesPerToken);
      expect(own.map(({ status }) => status)).toEqual(own.map(() => 200));
      expectTold(own.at(-1)?.told ?? []);
      const record = await recordOf(ground.world, run.id);
      expect(record.filter(({ type }) => type === 'context.compacted')).toEqual([]);
    },
    testMs,
  );

  it(
    'S1: real CLI: with context: compact it compacts first, and is then told of all seven [TELL-1] [HAND-4]',
    async (context) => {
      const ground = begin(context, { SIGNALBOX_SLOTS: '8' });
      const { run } = await acted(ground, { how: 'compact', percent: 80 });
      const last = ground.asked().findLast(({ told }) => told.some((text) => text.includes('<task-notification')));
      expectTold(last?.told ?? []);
      expect((last?.bytes ?? 0) / bytesPerToken).toBeLessThan(filledTokens / 2);
      const record = await recordOf(ground.world, run.id);
      expect(record.filter(({ type }) => type === 'context.compacted')).toHaveLength(1);
    },
    testMs,
  );
});

/** The run of the parent and its workers, the parent's requests as long as they tell its prompt, and how large it was filled. */
async function acted(ground: Ground, context: { how: 'fail' | 'compact'; percent: number }) {
  const { world, prompt, asked, limitWindow } = ground;
  limitWindow(windowTokens);
  const go = { waitFor: world.path('go') };
  const calls = reports.map((report, i) => ({
    tool: 'mcp__signalbox__spawn_agent',
    input: { name: `w${i}`, prompt: prompt([go, { say: report }]) },
  }));
  const wait = { call: { tool: 'mcp__signalbox__wait', input: { mode: 'all' } } };
  const lead = prompt([...Array.from({ length: 24 }, () => fill), { calls }, wait, { say: 'All seven are in.' }]);
  await world.up();
  const { id } = await submit(world, [{ name: 'lead', prompt: lead, harness: 'claude', settings: { model }, context }]);
  const own = (): readonly ModelRequest[] => asked().filter(({ told }) => told.some((text) => text.includes(lead)));
  const begun = (): number => new Set(asked().map(({ session }) => session)).size;
  await until(() => begun() === 1 + reports.length, { timeoutMs, what: 'seven workers at work' });
  const filled = own().at(-1)?.bytes ?? 0;
  expect(filled / bytesPerToken).toBeGreaterThan(filledTokens);
  world.touch('go');
  const run = await runEnd(world, id, timeoutMs);
  expect(run.outcome, JSON.stringify(run.tasks)).toBe('succeeded');
  // One session, begun once.
  expect(new Set(asked().map(({ session }) => session)).size).toBe(run.tasks.length);
  expect(taskNamed(run, 'lead').attempts).toBe(1);
  return { run, own: own(), filled };
}

/** Of each worker once, in short, with the file that has the whole. */
function expectTold(texts: readonly string[]): void {
  const mail = texts.filter((text) => text.includes('<task-notification'));
  expect(Math.max(...mail.map((text) => text.length))).toBeLessThanOrEqual(16_000);
  const told = notificationsIn(mail);
  const all = sizes.map((_, i) => `w${i} succeeded`);
  expect(told.map(({ task, status }) => `${task} ${status}`).toSorted()).toEqual(all);
  for (const { task, text, output } of told) {
    expect(text.length).toBeLessThanOrEqual(2_000);
    expect(sha(wholeOf(output ?? '')), task).toBe(sha(reports[Number(task.slice(1))] ?? ''));
  }
}
