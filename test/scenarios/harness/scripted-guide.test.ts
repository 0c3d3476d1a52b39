// Every example of docs/scripts.md is run, and ends as the page says beside its fence.

import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type Agent, openScriptedWorld, type Printed } from './scripted-world.ts';

const guide = readFileSync(new URL('../../../docs/scripts.md', import.meta.url), 'utf8');
const examples = [...guide.matchAll(/^```json ends=(\S+)\n(.*?)^```$/gms)].map(([, ends = '', script = '']) => ({
  ends,
  script,
}));
/** Long enough for a process to have ended if it was going to. */
const neverMs = 1_000;

describe('the guide to scripts', () => {
  it('has examples, and says of each how it ends', () => {
    expect(examples.length).toBeGreaterThan(8);
    expect(guide.match(/^```json/gm)).toHaveLength(examples.length);
  });

  it.each(examples)('an example ends with $ends: $script', async ({ ends, script }) => {
    const world = openScriptedWorld();
    world.git('init', '-q', '.');
    try {
      const agent = world.start(script);
      const answering = answerAll(agent);
      agent.say('go');
      expect(await endOf(agent, ends)).toBe(ends);
      agent.kill('SIGKILL');
      await agent.ended;
      await answering;
    } finally {
      await world.close();
    }
  });
});

async function endOf(agent: Agent, expected: string): Promise<string> {
  const dead = agent.ended.then(({ code, signal }) => (signal === null ? `exit:${code}` : `signal:${signal}`));
  if (expected === 'never') return Promise.race([dead, delay(neverMs, 'never')]);
  const isOwn = (line: Printed): boolean => line['type'] === 'result' && 'session_id' in line;
  const told = agent.seen(isOwn, 'a result').then((line) => (line['is_error'] === true ? 'error' : 'ok'));
  told.catch(() => undefined);
  return Promise.race([dead, told]);
}

/** A host that allows everything and answers every call. */
async function answerAll(agent: Agent): Promise<void> {
  const over = agent.ended.then(() => null);
  for (let nth = 1; ; nth++) {
    const asked = agent.seen(({ type }) => type === 'control_request', 'a request', nth);
    asked.catch(() => undefined);
    const line = await Promise.race([asked, over]);
    if (line === null) return;
    const content = [{ type: 'text', text: 'Yes.' }];
    agent.answer(String(line['request_id']), { behavior: 'allow', mcp_response: { result: { content } } });
  }
}
