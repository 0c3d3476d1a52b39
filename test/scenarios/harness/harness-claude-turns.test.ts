// What only Claude Code has, on the real CLI of both versions: how its turns fail, and what goes on beside them.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { ModelStep } from '../../model-server/script.ts';
import { until } from '../../until.ts';
import { onDrivenClaude } from './driven-claude.ts';

const failures: readonly [what: string, steps: readonly ModelStep[], reason: string][] = [
  ['429 for ever', [{ refuse: { status: 429 } }], 'rate-limit'],
  ['529 for ever', [{ refuse: { status: 529 } }], 'rate-limit'],
  ['500 for ever', [{ refuse: { status: 500 } }], 'unavailable'],
  ['a connection that breaks', [{ refuse: { status: null } }], 'unavailable'],
  ['401', [{ refuse: { status: 401 } }], 'auth'],
  ['403', [{ refuse: { status: 403 } }], 'auth'],
  ['credit too low', [{ refuse: { status: 400, message: 'Your credit balance is too low' } }], 'billing'],
  [
    'a prompt too long',
    [{ refuse: { status: 400, message: 'prompt is too long: 210000 tokens' } }],
    'context-overflow',
  ],
  ['a refusal', [{ say: 'no' }, { stop: 'refusal' }], 'refusal'],
  ['an answer cut off again and again', [{ say: 'much' }, { stop: 'max_tokens' }], 'max-output'],
];

const tools = [{ name: 'wait', description: 'Waits.', inputSchema: { type: 'object' } }];

onDrivenClaude(({ begin, say, server }) => {
  it('says why a turn failed, and goes on', async (context) => {
    const agent = await begin(context, { tools, env: { DISABLE_AUTO_COMPACT: '1' } });
    const reasons: string[] = [];
    for (const [what, steps] of failures) {
      await say(agent, steps);
      const turn = await agent.turnsEnded(reasons.length + 1);
      reasons.push(`${what}: ${turn.kind === 'failed' ? turn.failure.reason : turn.kind}`);
    }
    expect(reasons).toEqual(failures.map(([what, , reason]) => `${what}: ${reason}`));
    expect(agent.all('retry').map(({ status }) => status)).toContain(429);
    expect(agent.all('limited').map(({ limit }) => limit)).toEqual(['rate', 'rate', 'unavailable', 'unavailable']);
    await say(agent, [{ say: 'well again' }]);
    expect(await agent.turnsEnded(failures.length + 1)).toMatchObject({ kind: 'ok', text: 'well again' });
  });

  it('survives passing errors', async (context) => {
    const agent = await begin(context, { tools });
    await say(agent, [{ refuse: { status: 429, times: 1 } }, { say: 'through' }]);
    expect(await agent.turnsEnded(1)).toMatchObject({ kind: 'ok', text: 'through' });
    expect(agent.all('retry')).toHaveLength(1);
    expect(agent.events.filter(({ kind }) => kind === 'limited' || kind === 'answered')).toEqual([
      { kind: 'limited', limit: 'rate', untilMs: null },
      { kind: 'answered' },
    ]);
  });

  it('is refused twice at most before it gives up, and says how long it was told to wait [HAR-25]', async (context) => {
    const agent = await begin(context, { tools });
    const before = server().requests.length;
    await say(agent, [{ refuse: { status: 529 } }]);
    expect((await agent.turnsEnded(1)).kind).toBe('failed');
    const asked = server()
      .requests.slice(before)
      .filter(({ path }) => path.startsWith('/v1/messages'));
    expect(asked.map(({ status }) => status)).toEqual([529, 529]);
    await say(agent, [{ refuse: { status: 429, retryAfter: 30 } }]);
    const limited = await agent.seen('limited', () => true, 2);
    expect(limited.limit).toBe('rate');
    // What a service says is the least; since 2.1.326 the CLI adds a little to it by chance.
    expect(limited.waitMs).toBeGreaterThanOrEqual(30_000);
  });

  it('has not ended its turn while its command runs in the background', async (context) => {
    const agent = await begin(context, { tools });
    const command = 'until [ -e go ]; do sleep 0.05; done';
    await say(agent, [{ call: { tool: 'Bash', input: { command, run_in_background: true } } }, { say: 'waiting' }]);
    await agent.seen('backgroundStarted');
    await agent.seen('usage');
    expect(agent.all('turnEnded')).toEqual([]);
    writeFileSync(join(agent.work, 'go'), '');
    await agent.seen('backgroundEnded');
    expect((await agent.turnsEnded(1)).kind).toBe('ok');
    await agent.send({ kind: 'end' });
    await agent.end();
    expect(agent.all('turnEnded')).toHaveLength(1);
  });

  it('reads everything sent during its turn, and its session file says so', async (context) => {
    const agent = await begin(context, { tools });
    const before = server().requests.length;
    const first = await say(agent, [{ wait: 1_000 }, { say: 'first' }]);
    await until(
      () =>
        server()
          .requests.slice(before)
          .some(({ body }) => body.messages),
      { what: 'a request' },
    );
    const more = [
      await agent.send({ kind: 'text', text: 'second' }),
      await agent.send({ kind: 'text', text: 'third' }),
    ];
    for (const id of [first, ...more]) await agent.seen('delivered', ({ recordId }) => recordId === id);
    await agent.turnsEnded(1);
    await agent.send({ kind: 'end' });
    await agent.end();
    expect([...agent.delivered([first, ...more])].toSorted()).toEqual([first, ...more].toSorted());
  });

  it('has the requests of its subagents in its transcript, and asks between them [HAR-15]', async (context) => {
    const agent = await begin(context, { tools, brake: true });
    const served = () =>
      server().requests.filter(({ path, status }) => path.startsWith('/v1/messages') && status === 200);
    const before = served().length;
    server().act('innerx', [{ usage: { input_tokens: 70, output_tokens: 7 } }, { run: 'true' }, { say: 'found' }]);
    const input = { description: 'look', prompt: 'Act out innerx', subagent_type: 'general-purpose' };
    await say(agent, [{ call: { tool: 'Agent', input } }, { say: 'all done' }]);
    let answered = 0;
    const ended = await until(
      async () => {
        for (const { requestId } of agent.all('round').slice(answered)) {
          answered += 1;
          await agent.send({ kind: 'round', requestId, goOn: true });
        }
        return agent.all('turnEnded')[0];
      },
      { timeoutMs: 30_000, what: 'the end of the turn' },
    );
    expect(ended).toMatchObject({ turn: { kind: 'ok' } });
    expect(answered).toBe(2);
    const requests = await agent.metered();
    expect(requests.filter(({ usage }) => usage.inputTokens === 70)).toHaveLength(1);
    expect(requests).toHaveLength(served().length - before);
  });

  it('offers our tools to the model at once', async (context) => {
    const agent = await begin(context, { tools });
    await say(agent, [{ say: 'hello' }]);
    await agent.turnsEnded(1);
    const names = server()
      .requests.at(-1)
      ?.body.tools?.map(({ name }) => name);
    expect(names).toContain('mcp__signalbox__wait');
  });
});
