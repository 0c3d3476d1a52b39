// S1 on the real CLI: a parent whose window of 200,000 tokens is filled to 170,000, as the model counts it, and seven workers
// that report at once. What they said would not fit; what it is told of them does, and it finishes in its session.

import { expect, it } from 'vitest';
import type { ModelRequest } from '../model-server/model-server.ts';
import { until } from '../until.ts';
import { notificationsIn, sha, wholeOf } from './crew-mail.ts';
import { answerOf } from './limits-answer.ts';
import { model, onRealCli } from './limits-real-cli.ts';
import { runEnd, submit, taskNamed } from './limits-world.ts';

const timeoutMs = 90_000;
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

onRealCli('S1: overflow', (begin) => {
  it('S1: real CLI: seven reports of 15,000 to 37,000 characters reach a parent that has little room, and it finishes [TELL-1]', async (context) => {
    const { world, prompt, asked, limitWindow } = begin(context, { SIGNALBOX_SLOTS: '8' });
    limitWindow(windowTokens);
    const go = { waitFor: world.path('go') };
    const calls = reports.map((report, i) => ({
      tool: 'mcp__signalbox__spawn_agent',
      input: { name: `w${i}`, prompt: prompt([go, { say: report }]) },
    }));
    const wait = { call: { tool: 'mcp__signalbox__wait', input: { mode: 'all' } } };
    const lead = prompt([...Array.from({ length: 24 }, () => fill), { calls }, wait, { say: 'All seven are in.' }]);
    await world.sb(['up']);
    const { id } = await submit(world, [{ name: 'lead', prompt: lead, harness: 'claude', settings: { model } }]);
    const own = (): readonly ModelRequest[] => asked().filter(({ told }) => told.some((text) => text.includes(lead)));
    const begun = (): number => new Set(asked().map(({ session }) => session)).size;
    await until(() => begun() === 1 + reports.length, { timeoutMs, what: 'seven workers at work' });
    const filled = own().at(-1)?.bytes ?? 0;
    world.touch('go');
    const run = await runEnd(world, id, timeoutMs);
    expect(run.outcome, JSON.stringify(run.tasks)).toBe('succeeded');

    expect(filled / bytesPerToken).toBeGreaterThan(filledTokens);
    expect(filled + reports.join('').length).toBeGreaterThan(windowTokens * bytesPerToken);
    expect(own().map(({ status }) => status)).toEqual(own().map(() => 200));
    // One session, begun once, and nothing of it was summed up.
    expect(new Set(own().map(({ session }) => session)).size).toBe(1);
    expect(taskNamed(run, 'lead').attempts).toBe(1);
    const last = own().at(-1)?.told ?? [];
    expect(last.filter((text) => text.includes(lead))).toHaveLength(1);

    const mail = last.filter((text) => text.includes('<task-notification'));
    expect(Math.max(...mail.map((text) => text.length))).toBeLessThanOrEqual(16_000);
    const told = notificationsIn(mail);
    expect(told.map(({ task, status }) => `${task} ${status}`).toSorted()).toEqual(
      sizes.map((_, i) => `w${i} succeeded`),
    );
    for (const { task, text, output } of told) {
      expect(text.length).toBeLessThanOrEqual(2_000);
      expect(sha(wholeOf(output ?? '')), task).toBe(sha(reports[Number(task.slice(1))] ?? ''));
    }
  });
});
