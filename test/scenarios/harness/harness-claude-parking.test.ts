// How the real CLI waits without a process, on both versions: a call of ours is answered, the hook after it ends the turn
// when all calls of the round have run, and the session goes on in the same process or in another.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, type TestContext } from 'vitest';
import type { Driven } from '../../harness/drive.ts';
import type { ModelRequest } from '../../model-server/model-server.ts';
import type { Call } from '../../model-server/script.ts';
import { until } from '../../until.ts';
import { onDrivenClaude } from './driven-claude.ts';

const tools = ['wait', 'spawn_agent'].map((name) => ({ name, description: name, inputSchema: { type: 'object' } }));
const wait: Call = { tool: 'mcp__signalbox__wait', input: { tasks: ['task_1'] } };
const spawn: Call = { tool: 'mcp__signalbox__spawn_agent', input: { prompt: 'look' } };
const command = 'until [ -e go ]; do sleep 0.05; done; echo ran > ran';
const bash: Call = { tool: 'Bash', input: { command, description: 'a step of the script' } };

onDrivenClaude(({ begin, say, server }) => {
  const ask = async (context: TestContext, calls: readonly Call[], brake = false): Promise<Waiting> => {
    const agent = await begin(context, { tools, parkingTools: ['wait'], brake });
    const before = server().requests.length;
    await say(agent, [{ calls }, { say: 'It has come.' }]);
    const asked = () =>
      server()
        .requests.slice(before)
        .filter(({ body }) => body.messages !== undefined);
    return { agent, asked };
  };

  it('a turn that waits ends well without another request, and goes on in the same process and in another [HAR-16]', async (context) => {
    const { agent, asked } = await ask(context, [wait]);
    await answerCall(agent, 1, 'parked');
    await endRound(agent);
    expect(await agent.turnsEnded(1)).toEqual({ kind: 'ok', text: '', cut: false });
    expect(asked()).toHaveLength(1);
    await agent.send({ kind: 'text', text: 'task_1 has ended' });
    expect(await agent.turnsEnded(2)).toMatchObject({ kind: 'ok', text: 'It has come.' });
    await agent.send({ kind: 'end' });
    expect((await agent.end()).status).toBe(0);
    await agent.launch();
    await agent.send({ kind: 'text', text: 'one more thing' });
    expect((await agent.turnsEnded(3)).kind).toBe('ok');
    expect(asked()).toHaveLength(3);
    expect(asked().at(-1)?.told.slice(-1)).toEqual(['one more thing']);
  });

  it('an agent that was ended while it waited is resumed with the answer to its call [HAR-16]', async (context) => {
    const { agent, asked } = await ask(context, [wait]);
    await answerCall(agent, 1, 'parked');
    await endRound(agent);
    await agent.turnsEnded(1);
    await agent.send({ kind: 'end' });
    expect(await agent.end()).toMatchObject({ status: 0, inFlight: [] });
    await agent.launch();
    await agent.send({ kind: 'text', text: 'task_1 has ended' });
    expect(await agent.turnsEnded(2)).toMatchObject({ kind: 'ok', text: 'It has come.' });
    expect(asked()).toHaveLength(2);
    expect(asked()[1]?.conversation).toContain('"text":"parked');
    expect(asked()[1]?.conversation).not.toMatch(/interrupted|want to proceed/);
  });

  for (const brake of [false, true]) {
    const where = brake ? ' under a brake' : '';
    it(`other calls of a waiting round finish first${where} [HAR-20]`, async (context) => {
      const { agent, asked } = await ask(context, [wait, bash, spawn], brake);
      await answerCall(agent, 1, 'parked');
      await endRound(agent);
      expect(agent.all('turnEnded')).toEqual([]);
      writeFileSync(join(agent.work, 'go'), '');
      // Calls after it in the same round are still made.
      await answerCall(agent, 2, 'task_2');
      expect(await agent.turnsEnded(1)).toEqual({ kind: 'ok', text: '', cut: false });
      expect(agent.file('ran')).toBe('ran\n');
      expect(asked()).toHaveLength(1);
      // After the turn was ended, the brake does not ask again.
      expect(agent.all('round')).toHaveLength(1);
      await agent.send({ kind: 'text', text: 'task_1 has ended' });
      expect(await agent.turnsEnded(2)).toMatchObject({ kind: 'ok', text: 'It has come.' });
      expect(resultsIn(asked()[1])).toBe(3);
    });
  }

  it('a refused call ends no turn, and one that need not wait goes on at once [HAR-20]', async (context) => {
    const { agent, asked } = await ask(context, [wait, wait]);
    await answerCall(agent, 1, 'it would wait for itself', true);
    await answerCall(agent, 2, 'task_1 has ended already');
    const { requestId } = await agent.seen('round');
    await agent.send({ kind: 'round', requestId, goOn: true });
    expect(await agent.turnsEnded(1)).toMatchObject({ kind: 'ok', text: 'It has come.' });
    expect(agent.all('round')).toHaveLength(1);
    expect(asked()).toHaveLength(2);
  });

  it('a subagent is told that it cannot wait, and the turn goes on [HAR-21]', async (context) => {
    server().act('innerx', [{ calls: [wait] }, { say: 'I end.' }]);
    const input = { description: 'look', prompt: 'Act out innerx', subagent_type: 'general-purpose' };
    const { agent } = await ask(context, [{ tool: 'Agent', input }]);
    await agent.seen('toolResult', ({ isError, text }) => isError && text.includes('A subagent cannot wait here'));
    expect(await agent.turnsEnded(1)).toMatchObject({ kind: 'ok', text: 'It has come.' });
    expect([agent.all('toolServerCall'), agent.all('round')]).toEqual([[], []]);
  });

  it('a message that comes while such a turn is ending is a turn of its own, reported with it as one [HAR-16]', async (context) => {
    const { agent, asked } = await ask(context, [wait, bash]);
    await answerCall(agent, 1, 'parked');
    await endRound(agent);
    const mail = await agent.send({ kind: 'text', text: 'task_1 has ended' });
    writeFileSync(join(agent.work, 'go'), '');
    await agent.seen('delivered', ({ recordId }) => recordId === mail);
    expect(await agent.turnsEnded(1)).toMatchObject({ kind: 'ok', text: 'It has come.' });
    await agent.send({ kind: 'end' });
    await agent.end();
    expect(agent.all('turnEnded')).toHaveLength(1);
    expect(asked()).toHaveLength(2);
  });
});

interface Waiting {
  readonly agent: Driven;
  /** What the model was asked since the agent began. */
  asked(): readonly ModelRequest[];
}

async function answerCall(agent: Driven, nth: number, text: string, isError = false): Promise<void> {
  const { requestId, rpcId } = await agent.seen('toolServerCall', () => true, nth);
  await agent.send({ kind: 'toolAnswer', requestId, rpcId, text, isError });
}

async function endRound(agent: Driven): Promise<void> {
  const { requestId } = await agent.seen('round');
  await agent.send({ kind: 'round', requestId, goOn: false });
  await until(() => agent.all('toolResult').length > 0, { what: 'the result of the call that waits' });
}

function resultsIn(request: ModelRequest | undefined): number {
  return request?.conversation.match(/"type":"tool_result"/g)?.length ?? 0;
}
