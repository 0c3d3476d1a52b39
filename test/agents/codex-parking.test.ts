// How the real Codex waits without a process: a call of ours is answered, the gate holds the next request to the model back, and the
// session goes on in the same process or in another.

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Driven, drive } from '../harness/drive.ts';
import { installed, type RealCli, withoutProgram } from '../model-server/agent-programs.ts';
import { type ModelRequest, type ModelServer, startModelServer } from '../model-server/model-server.ts';
import type { Call, ModelStep } from '../model-server/script.ts';
import { agents } from './agent-list.ts';

const tools = ['wait', 'look'].map((name) => ({ name, description: name, inputSchema: { type: 'object' } }));
const wait: Call = { tool: 'mcp__signalbox__wait', input: { tasks: ['task_1'] } };

for (const { name, program, create } of agents.filter((each) => each.program.title === 'Codex')) {
  describe(name, () => {
    let cli: RealCli = { kind: 'missing', why: 'not looked for' };
    let server: ModelServer;
    let agent: Driven | null = null;
    beforeAll(async () => {
      [cli, server] = await Promise.all([installed(program), startModelServer()]);
    });
    afterEach(async () => {
      await agent?.close();
      agent = null;
    });
    afterAll(() => server.close());

    const begin = async (skip: (why: string) => never, marker: string, steps: readonly ModelStep[], brake = false) => {
      if (cli.kind === 'missing') return withoutProgram(skip, cli.why);
      const before = server.requests.length;
      server.act(marker, steps);
      const harness = create({ binary: cli.binary, server, tools, parkingTools: ['wait'] });
      const begun = drive({ harness, settings: {}, sandboxed: true, brake });
      agent = begun;
      await begun.launch();
      await begun.send({ kind: 'text', text: `Act out ${marker}` });
      return { agent: begun, asked: () => server.requests.slice(before) };
    };
    const answer = async (driven: Driven, nth: number, text: string): Promise<void> => {
      const { requestId, rpcId } = await driven.seen('toolServerCall', () => true, nth);
      await driven.send({ kind: 'toolAnswer', requestId, rpcId, text, isError: false });
    };
    const round = async (driven: Driven, nth: number, goOn: boolean): Promise<void> => {
      const { requestId } = await driven.seen('round', () => true, nth);
      await driven.send({ kind: 'round', requestId, goOn });
    };

    it('a turn that waits ends well without another request, and its history keeps its answer and its beginning [HAR-32]', async ({
      skip,
    }) => {
      const { agent: one, asked } = await begin(skip, 'parkx', [
        { say: 'I wait.' },
        { call: wait },
        { say: 'It has come.' },
      ]);
      await answer(one, 1, 'parked until then');
      await round(one, 1, false);
      expect(await one.turnsEnded(1)).toEqual({ kind: 'ok', text: '', cut: false });
      expect(asked()).toHaveLength(1);
      await one.send({ kind: 'end' });
      expect(await one.end()).toMatchObject({ status: 0, inFlight: [] });
      await one.launch();
      await one.send({ kind: 'text', text: 'task_1 has ended' });
      expect(await one.turnsEnded(2)).toMatchObject({ kind: 'ok', text: 'It has come.' });
      expect(asked()).toHaveLength(2);
      expect(asked()[1]?.conversation).toContain('parked until then');
      expectPrefix(asked()[0], asked()[1]);
    });

    it('a turn that need not wait goes on, in the same process also after one that waited [HAR-32]', async ({
      skip,
    }) => {
      const steps = [
        { call: wait },
        { call: wait },
        { call: { ...wait, tool: 'mcp__signalbox__look' } },
        { say: 'Done.' },
      ];
      const { agent: one, asked } = await begin(skip, 'goonx', steps);
      await answer(one, 1, 'nothing to wait for');
      await round(one, 1, true);
      await answer(one, 2, 'parked');
      await round(one, 2, false);
      expect((await one.turnsEnded(1)).kind).toBe('ok');
      expect(asked()).toHaveLength(2);
      await one.send({ kind: 'text', text: 'go on' });
      await answer(one, 3, 'seen');
      expect(await one.turnsEnded(2)).toMatchObject({ kind: 'ok', text: 'Done.' });
      expect(one.all('round')).toHaveLength(2);
      expect(asked()).toHaveLength(4);
    });

    it('a process that is killed at the gate leaves nothing that holds the next one [HAR-32]', async ({ skip }) => {
      const { agent: one, asked } = await begin(skip, 'killx', [{ call: wait }, { say: 'It has come.' }]);
      await answer(one, 1, 'parked');
      await one.seen('round');
      await one.kill();
      await one.end();
      expect(asked()).toHaveLength(1);
      await one.launch();
      await one.send({ kind: 'text', text: 'go on' });
      expect(await one.turnsEnded(1)).toMatchObject({ kind: 'ok', text: 'It has come.' });
    });

    it('a conversation is made shorter on being told, and goes on', async ({ skip }) => {
      const { agent: one } = await begin(skip, 'shortx', [{ say: 'First.' }]);
      await one.turnsEnded(1);
      const order = await one.send({ kind: 'compact' });
      await one.seen('delivered', ({ recordId }) => recordId === order);
      expect(await one.turnsEnded(2)).toEqual({ kind: 'ok', text: '', cut: false });
      expect(one.all('compaction')).toHaveLength(1);
      await one.send({ kind: 'text', text: 'and now?' });
      expect((await one.turnsEnded(3)).kind).toBe('ok');
    });
  });
}

/** What was said in the first request stands unchanged at the beginning of the second, so that its cache holds. */
function expectPrefix(first: ModelRequest | undefined, second: ModelRequest | undefined): void {
  const [before, after] = [first, second].map((request) =>
    (request?.body.input ?? []).map((item) => JSON.stringify(item)),
  );
  expect(before?.length).toBeGreaterThan(0);
  expect(after?.slice(0, before?.length)).toEqual(before);
}
