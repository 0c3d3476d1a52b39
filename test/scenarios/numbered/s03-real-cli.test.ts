// S3 on the real CLI: agents that spawn agents that spawn agents. Each is notified of its own children and of no others; where
// the depth ends, every spawn is refused with its reason and no process is started for it.

import { expect, it } from 'vitest';
import type { Call } from '../../model-server/script.ts';
import { notificationsIn } from '../children/child-messages.ts';
import { model, onNewestCli } from '../spending/limits-real-cli.ts';
import { recordOf, runEnd, submit } from '../spending/limits-world.ts';

/** Many real processes on few cores. */
const timeoutMs = 110_000;
const testMs = 240_000;
const refusals = 20;
/** The children of each agent; children come before their parents. */
const children: Readonly<Record<string, readonly string[]>> = {
  'north-helper': [],
  'north-worker': ['north-helper'],
  'south-worker': [],
  north: ['north-worker'],
  south: ['south-worker'],
  root: ['north', 'south'],
};

onNewestCli('S3: hierarchy', (begin) => {
  it(
    'S3: real CLI: each result reaches the parent, and no agent is deeper than allowed [TELL-2]',
    async (context) => {
      const { world, prompt, asked } = begin(context, { SIGNALBOX_SLOTS: '6' });
      const spawn = (name: string, words: string): Call => ({
        tool: 'mcp__signalbox__spawn_agent',
        input: { name, prompt: words },
      });
      const wait = { call: { tool: 'mcp__signalbox__wait', input: { mode: 'all' } } };
      const tooDeep = Array.from({ length: refusals }, (_, i) =>
        spawn(`deep${i}`, `Look after the matter number ${i}.`),
      );
      const prompts = new Map<string, string>();
      for (const [name, own] of Object.entries(children)) {
        const calls = own.map((each) => spawn(each, prompts.get(each) ?? ''));
        const work = name === 'north-helper' ? [{ calls: tooDeep }] : own.length > 0 ? [{ calls }, wait] : [];
        prompts.set(name, prompt([...work, { say: `found by ${name}` }]));
      }
      await world.up();
      const { id } = await submit(world, [
        { name: 'root', prompt: prompts.get('root') ?? '', harness: 'claude', settings: { model } },
      ]);
      const run = await runEnd(world, id, timeoutMs);
      expect(run.outcome, JSON.stringify(run.tasks)).toBe('succeeded');

      expect(run.tasks.map(({ name }) => name).toSorted()).toEqual(Object.keys(children).toSorted());
      for (const [name, own] of Object.entries(children)) {
        const mine = asked().filter(({ told }) => told.some((text) => text.includes(prompts.get(name) ?? '-')));
        expect(new Set(mine.map(({ session }) => session)).size, name).toBe(1);
        const news = notificationsIn(mine.at(-1)?.told ?? []);
        expect(news.map(({ task }) => task).toSorted(), name).toEqual(own);
        for (const { task, text } of news) expect(text).toContain(`> found by ${task}\n`);
      }

      const record = await recordOf(world, id);
      const refused = record.flatMap((event) => (event.type === 'call.answered' && event.isError ? [event.text] : []));
      expect(refused).toHaveLength(refusals);
      for (const text of refused) expect(text).toContain('agents stand 4 deep here; do it yourself (limit depth: 4)');
      expect(record.filter(({ type }) => type === 'limit.reached')).toHaveLength(1);
      expect(record.filter(({ type }) => type === 'agent.created')).toHaveLength(run.tasks.length);
    },
    testMs,
  );
});
