// The one suite that every harness passes. It speaks to the seam and to real processes only; what a harness does not
// declare as a capability is not asked of it.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/model/core/json.ts';
import { addUsage, noUsage } from '../../src/model/spending/usage.ts';
import type { Capability } from '../../src/ports/capability.ts';
import type { Harness } from '../../src/ports/harness.ts';
import { withoutProgram } from '../model-server/real-cli.ts';
import type { ModelStep } from '../model-server/script.ts';
import { until } from '../until.ts';
import { blankAgent } from './blank-agent.ts';
import { type Driven, drive } from './drive.ts';

export interface Subject {
  /** Settings with which it asks before it acts, where being without a sandbox is not enough. */
  readonly asking?: Record<string, string>;
  readonly harness: Harness;
  /** Lets an agent run these steps when it gets the prompt, as far as this kind of agent can. */
  prepare(steps: readonly ModelStep[]): {
    readonly prompt: string;
    readonly settings: Readonly<Record<string, string>>;
  };
  readonly ways?: Ways;
  /** Whether a text reached the model; for agents without one, what the agent read is enough. */
  heard?(text: string): boolean;
}

/** In what an agent may differ from others without lacking anything. */
export interface Ways {
  /** How many requests of a turn a service refuses, by its status, until the turn has failed; else two. */
  readonly requestsRefused?: Readonly<Record<number, number>>;
}

/** The tools of ours that a subject with `tools` is to offer. */
export const offeredTools = [
  { name: 'ask', description: 'Asks.', inputSchema: { type: 'object', properties: { question: { type: 'string' } } } },
];

const verdictSchema = {
  type: 'object',
  properties: { verdict: { enum: ['pass', 'fail'] } },
  required: ['verdict'],
};

/** `open` gives the subject, or a sentence on why it cannot be had here. */
export function harnessBehaves(name: string, open: () => Promise<Subject | string>): void {
  describe(`${name} as an agent`, () => {
    let subject: Subject | string = 'not opened';
    let driven: Driven | null = null;
    beforeAll(async () => {
      subject = await open();
    });
    afterEach(async () => {
      await driven?.close();
      driven = null;
    });

    const behaves = (title: string, needs: readonly Capability[], test: (stage: Stage) => Promise<void>): void => {
      it(`${title} [HAR-10]`, async (context) => {
        if (typeof subject === 'string') return withoutProgram(context.skip, subject);
        const { harness } = subject;
        const lacking = needs.filter((need) => !harness.capabilities.includes(need));
        if (lacking.length > 0) return context.skip(`${name} lacks ${lacking.join(', ')}`);
        await test(stageFor(subject, (one) => (driven = one)));
      });
    };
    behaviours(behaves);
  });
}

type Begun = Driven & { readonly prompt: string };

interface Begin {
  readonly sandboxed?: boolean;
  readonly settings?: Readonly<Record<string, string>>;
  readonly schema?: JsonObject | null;
  readonly brake?: boolean;
}

interface Stage {
  readonly subject: Subject;
  /** Launches an agent and gives it the prompt that starts the steps. */
  begin(steps: readonly ModelStep[], more?: Begin): Promise<Begun>;
}

function stageFor(subject: Subject, keep: (driven: Driven) => void): Stage {
  return {
    subject,
    async begin(steps, { sandboxed = true, settings = {}, schema = null, brake = false } = {}) {
      const prepared = subject.prepare(steps);
      const asking = sandboxed ? {} : (subject.asking ?? {});
      const driven = drive({
        harness: subject.harness,
        settings: { ...prepared.settings, ...asking, ...settings },
        sandboxed,
        schema,
        brake,
      });
      keep(driven);
      await driven.launch();
      await driven.send({ kind: 'text', text: prepared.prompt });
      return Object.assign(driven, { prompt: prepared.prompt });
    },
  };
}

type Behaves = (title: string, needs: readonly Capability[], test: (stage: Stage) => Promise<void>) => void;

function behaviours(behaves: Behaves): void {
  turns(behaves);
  limits(behaves);
  brakes(behaves);
  steering(behaves);
  answering(behaves);
  lives(behaves);
}

function turns(behaves: Behaves): void {
  behaves('it takes up its prompt, speaks, works and ends its turn', [], async ({ begin }) => {
    const agent = await begin([{ say: 'hello there' }, { write: { path: 'note.txt', text: 'written\n' } }]);
    await agent.seen('delivered');
    await agent.seen('text', ({ text }) => text.includes('hello there'));
    const turn = agent.all('turnEnded')[0]?.turn ?? (await ended(agent));
    expect(turn.kind).toBe('ok');
    expect(agent.file('note.txt')).toBe('written\n');
    expect(agent.all('garbage')).toEqual([]);
  });

  behaves('text that begins with a slash, or has several lines, arrives as it is', [], async ({ begin, subject }) => {
    const { prompt, settings } = subject.prepare([{ say: 'understood' }]);
    const agent = await begin([], { settings });
    if (subject.harness.capabilities.includes('resume')) await agent.turnsEnded(1);
    else await agent.end();
    const odd = `/clear ${prompt}\nsecond \\n line`;
    if (!subject.harness.capabilities.includes('resume')) await agent.launch();
    await agent.send({ kind: 'text', text: odd });
    await agent.seen('delivered', () => true, 2);
    if (subject.harness.capabilities.includes('resume')) expect((await agent.turnsEnded(2)).kind).toBe('ok');
    if (subject.heard !== undefined) expect(subject.heard(odd)).toBe(true);
  });

  behaves(
    'each turn tells what it used, and a resumed session does not tell it again',
    ['usage', 'resume'],
    async (stage) => {
      const agent = await stage.begin([{ usage: { input_tokens: 1000, output_tokens: 200 } }, { say: 'first' }]);
      await agent.turnsEnded(1);
      const first = agent.all('usage').map(({ usage }) => usage);
      expect(first.reduce((sum, { inputTokens }) => sum + inputTokens, 0)).toBe(1000);
      const tellsCost = stage.subject.harness.capabilities.includes('cost');
      expect(first.every(({ costMicroUsd }) => (costMicroUsd !== null) === tellsCost)).toBe(true);
      await agent.send({ kind: 'end' });
      await agent.end();
      await agent.launch();
      await agent.send({ kind: 'text', text: 'once more' });
      await agent.turnsEnded(2);
      const second = agent.all('usage').slice(first.length);
      expect(second.reduce((sum, { usage }) => sum + usage.inputTokens, 0)).toBeLessThanOrEqual(1000);
      const [before, after] = [first, second.map(({ usage }) => usage)].map((part) =>
        part.reduce((sum, { costMicroUsd }) => sum + (costMicroUsd ?? (tellsCost ? Number.NaN : 0)), 0),
      );
      expect(after).toBeLessThanOrEqual(before ?? 0);
    },
  );
}

function limits(behaves: Behaves): void {
  for (const [status, limit, reason] of [
    [429, 'rate', 'rate-limit'],
    [529, 'rate', 'rate-limit'],
    [500, 'unavailable', 'unavailable'],
  ] as const) {
    behaves(
      `a service that answers ${status} is told of once, and when it answers [HAR-13]`,
      ['usage'],
      async (stage) => {
        const times = stage.subject.ways?.requestsRefused?.[status] ?? 2;
        const agent = await stage.begin([{ refuse: { status, times } }, { say: 'through' }]);
        expect(await agent.turnsEnded(1)).toMatchObject({ kind: 'failed', failure: { reason } });
        expect(agent.all('retry')).toHaveLength(times - 1);
        await agent.send({ kind: 'text', text: agent.prompt });
        expect(await agent.turnsEnded(2)).toMatchObject({ kind: 'ok' });
        const told = agent.events.filter(({ kind }) => kind === 'limited' || kind === 'answered');
        expect(told).toEqual([{ kind: 'limited', limit, untilMs: null }, { kind: 'answered' }]);
      },
    );
  }
}

function brakes(behaves: Behaves): void {
  const goOn = async (agent: Begun, nth: number, goes = true): Promise<void> => {
    const { requestId } = await agent.seen('round', () => true, nth);
    await agent.send({ kind: 'round', requestId, goOn: goes });
  };

  behaves(
    'under a brake it asks after every tool round, also of tools that failed [HAR-14]',
    ['usage'],
    async (stage) => {
      const steps = [{ run: 'true' }, { call: { tool: 'mcp__none__such', input: {} } }, { say: 'done' }];
      const agent = await stage.begin(steps, { brake: true });
      await goOn(agent, 1);
      // One calls an unknown tool and gets an error, the other knows that itself.
      const next = await until(() => agent.all('toolServerCall')[0] ?? agent.all('round')[1], { what: 'the call' });
      if (next.kind === 'toolServerCall') {
        const { requestId, rpcId } = next;
        await agent.send({ kind: 'toolAnswer', requestId, rpcId, text: 'no such tool', isError: true });
      }
      await goOn(agent, 2);
      expect(await agent.turnsEnded(1)).toMatchObject({ kind: 'ok' });
      expect(agent.all('round')).toHaveLength(2);
      expect(agent.all('hookCall')).toEqual([]);
    },
  );

  behaves(
    'a braked turn ends well with no further request, and the session goes on [HAR-26]',
    ['usage'],
    async (stage) => {
      const agent = await stage.begin([{ run: 'true' }, { run: 'true' }, { write: { path: 'late', text: 'x' } }], {
        brake: true,
      });
      await goOn(agent, 1);
      await goOn(agent, 2, false);
      expect(await agent.turnsEnded(1)).toEqual({ kind: 'ok', text: '', cut: false });
      const turns = (): number => agent.all('usage').reduce((sum, { usage }) => sum + usage.turns, 0);
      expect(turns()).toBe(2);
      expect(agent.file('late')).toBe(null);
      await agent.send({ kind: 'end' });
      expect((await agent.end()).status).toBe(0);
      await agent.launch();
      await agent.send({ kind: 'text', text: 'go on' });
      await goOn(agent, 3);
      expect((await agent.turnsEnded(2)).kind).toBe('ok');
      expect(agent.file('late')).toBe('x');
    },
  );

  behaves(
    'when it asks, its record has what it used, and in the end what its turns told [HAR-15]',
    ['usage'],
    async (stage) => {
      const use = (input_tokens: number, output_tokens: number) => ({ usage: { input_tokens, output_tokens } });
      const steps = [
        use(100, 77),
        { run: 'true' },
        use(200, 33),
        { call: { tool: 'mcp__none__such', input: {} } },
        use(50, 5),
        { say: '!' },
      ];
      const agent = await stage.begin(steps, { brake: true });
      const used = async () => (await agent.metered()).map(({ usage }) => [usage.inputTokens, usage.outputTokens]);
      await agent.seen('round');
      expect(await used()).toEqual([[100, 77]]);
      await goOn(agent, 1);
      const next = await until(() => agent.all('toolServerCall')[0] ?? agent.all('round')[1], { what: 'the call' });
      if (next.kind === 'toolServerCall') {
        const { requestId, rpcId } = next;
        await agent.send({ kind: 'toolAnswer', requestId, rpcId, text: 'no such tool', isError: true });
      }
      await agent.seen('round', () => true, 2);
      expect((await used()).slice(0, 2)).toEqual([
        [100, 77],
        [200, 33],
      ]);
      await goOn(agent, 2);
      await agent.turnsEnded(1);
      const told = noUsage();
      for (const { usage } of agent.all('usage')) addUsage(told, usage);
      const kept = noUsage();
      for (const { usage } of await agent.metered()) addUsage(kept, usage);
      const { inputTokens, outputTokens, turns } = told;
      expect(kept).toMatchObject({ inputTokens, outputTokens, turns });
      expect(inputTokens).toBe(350);
    },
  );

  behaves('without a brake nobody is asked', ['usage'], async (stage) => {
    const agent = await stage.begin([{ run: 'true' }]);
    expect((await agent.turnsEnded(1)).kind).toBe('ok');
    expect(agent.all('round')).toEqual([]);
  });

  behaves('an output that a braked turn gave is not lost [HAR-26]', ['usage', 'output'], async (stage) => {
    const agent = await stage.begin([{ output: { verdict: 'pass' } }], { schema: verdictSchema, brake: true });
    const asked = await until(() => agent.all('round')[0] ?? agent.all('structured')[0], { what: 'the output' });
    if (asked.kind === 'round') await agent.send({ kind: 'round', requestId: asked.requestId, goOn: false });
    expect((await agent.turnsEnded(1)).kind).toBe('ok');
    expect(agent.all('structured')).toMatchObject([{ value: { verdict: 'pass' } }]);
  });
}

function steering(behaves: Behaves): void {
  behaves('a message during a turn reaches it in that turn', ['steer'], async ({ begin, subject }) => {
    // The answer takes a moment, so that the turn is not over before a busy machine has passed the message on.
    const agent = await begin([{ say: 'working' }, { waitFor: 'go' }, { wait: 300 }, { say: 'finished' }]);
    await agent.seen('toolCall');
    const steer = await agent.send({ kind: 'text', text: 'mind the gap' });
    writeFileSync(join(agent.work, 'go'), '');
    await agent.seen('delivered', ({ recordId }) => recordId === steer);
    expect((await agent.turnsEnded(1)).kind).toBe('ok');
    expect(agent.all('turnEnded')).toHaveLength(1);
    if (subject.heard !== undefined) expect(subject.heard('mind the gap')).toBe(true);
  });

  behaves(
    'an interrupt ends the turn and what it runs, and the next message is heard',
    ['interrupt'],
    async (stage) => {
      const agent = await stage.begin([{ say: 'working' }, { waitFor: 'never' }]);
      await agent.seen('text');
      if (stage.subject.harness.capabilities.includes('steer')) await agent.seen('toolCall');
      await agent.send({ kind: 'interrupt' });
      expect((await agent.turnsEnded(1)).kind).toBe('failed');
      await agent.send({ kind: 'text', text: 'go on with something else' });
      expect((await agent.turnsEnded(2)).kind).toBe('ok');
    },
  );
}

function answering(behaves: Behaves): void {
  behaves(
    'it asks before it acts: what is allowed happens, what is denied does not',
    ['permission'],
    async ({ begin, subject }) => {
      const steps = [{ write: { path: 'yes.txt', text: 'y' } }, { write: { path: 'no.txt', text: 'n' } }];
      const agent = await begin(steps, { sandboxed: false });
      const first = await agent.seen('permissionRequest');
      expect(JSON.stringify(first.input)).toContain('yes.txt');
      await agent.send({ kind: 'allow', requestId: first.requestId, input: first.input });
      const second = await agent.seen('permissionRequest', () => true, 2);
      await agent.send({ kind: 'deny', requestId: second.requestId, message: 'not that one', interrupt: false });
      await agent.seen('toolResult', ({ isError }) => isError);
      expect((await agent.turnsEnded(1)).kind).toBe('ok');
      // With the result of the tool, or right behind it.
      const told = agent.all('toolResult').some(({ text }) => text.includes('not that one'));
      expect(told || subject.heard?.('Not permitted: not that one')).toBe(true);
      expect([agent.file('yes.txt'), agent.file('no.txt')]).toEqual(['y', null]);
    },
  );

  behaves('a question that an interrupt overtakes is withdrawn', ['permission', 'interrupt'], async ({ begin }) => {
    const agent = await begin([{ write: { path: 'no.txt', text: 'n' } }], { sandboxed: false });
    const { requestId } = await agent.seen('permissionRequest');
    await agent.send({ kind: 'interrupt' });
    await agent.seen('withdrawn', (event) => event.requestId === requestId);
    expect((await agent.turnsEnded(1)).kind).toBe('failed');
    expect(agent.file('no.txt')).toBe(null);
  });

  behaves('it calls a tool of ours and gets the answer', ['tools'], async ({ begin, subject }) => {
    const agent = await begin([{ call: { tool: 'mcp__signalbox__ask', input: { question: 'why?' } } }]);
    const call = await agent.seen('toolServerCall');
    expect([call.tool, call.input]).toEqual(['ask', { question: 'why?' }]);
    const { requestId, rpcId } = call;
    await agent.send({ kind: 'toolAnswer', requestId, rpcId, text: 'because of the signals', isError: false });
    await agent.seen('toolResult', ({ text }) => text.includes('because of the signals'));
    expect((await agent.turnsEnded(1)).kind).toBe('ok');
    if (subject.heard !== undefined) expect(subject.heard('because of the signals')).toBe(true);
  });

  behaves('it answers by a schema', ['output'], async ({ begin, subject }) => {
    const agent = await begin([{ output: { verdict: 'pass' } }], { schema: verdictSchema });
    expect((await agent.seen('structured')).value).toEqual({ verdict: 'pass' });
    const ends = subject.harness.capabilities.includes('end');
    const turn = ends ? await agent.turnsEnded(1) : (await agent.end()).turn;
    expect(turn?.kind).toBe('ok');
  });
}

function lives(behaves: Behaves): void {
  behaves('a stall shows as silence of a living process', [], async ({ begin, subject }) => {
    const agent = await begin([{ hang: true }]);
    // A model that does not answer keeps even the acknowledgement back.
    if (subject.heard === undefined) await agent.seen('delivered');
    else await until(() => subject.heard?.(agent.prompt), { what: 'the prompt at the model' });
    const before = agent.events.length;
    const state = await Promise.race([agent.end().then(() => 'ended'), delay(1_500, 'silent')]);
    expect([state, agent.all('turnEnded')]).toEqual(['silent', []]);
    expect(agent.events.length - before).toBeLessThanOrEqual(1);
  });

  behaves('a killed process leaves no good turn', [], async ({ begin }) => {
    const agent = await begin([{ say: 'working' }, { write: { path: 'started', text: '' } }, { waitFor: 'never' }]);
    await until(() => agent.file('started') !== null, { what: 'work under way' });
    await agent.kill();
    const { status, turn } = await agent.end();
    expect(status).not.toBe(0);
    expect(agent.all('turnEnded')).toEqual([]);
    expect(turn?.kind).not.toBe('ok');
  });

  behaves('what a killed process had begun is told by name [HAR-11]', ['steer'], async ({ begin }) => {
    const agent = await begin([{ say: 'working' }, { run: 'true' }, { waitFor: 'never' }]);
    await agent.seen('toolCall', () => true, 2);
    await agent.kill();
    const { inFlight } = await agent.end();
    expect(inFlight).toHaveLength(1);
    expect(inFlight[0]).toMatch(/^Bash: .*never/);
  });

  behaves('a killed agent goes on in a new process, in the same session', ['resume'], async ({ begin, subject }) => {
    const started = { write: { path: 'started', text: '' } };
    const agent = await begin([{ say: 'working' }, started, { waitFor: 'go' }, { say: 'finished' }]);
    await until(() => agent.file('started') !== null, { what: 'work under way' });
    const { session } = await agent.seen('session');
    const { recordId } = await agent.seen('delivered');
    const judged = subject.harness.transcript({ ...blankAgent, resume: true, session }, agent.work) !== null;
    // It is written a moment after the fact, and a session without it cannot be resumed.
    if (judged) await until(() => agent.delivered([recordId]).size === 1, { what: 'the session on disk' });
    await agent.kill();
    await agent.end();
    writeFileSync(join(agent.work, 'go'), '');
    if (judged) expect([...agent.delivered([recordId, 'record_other'])]).toEqual([recordId]);
    await agent.launch();
    const note = await agent.send({ kind: 'text', text: 'you were interrupted, go on' });
    await agent.seen('delivered', (event) => event.recordId === note);
    expect((await agent.turnsEnded(1)).kind).toBe('ok');
    expect(agent.all('session').every((event) => event.session === session)).toBe(true);
  });

  behaves('told to end, it ends by itself', ['end'], async ({ begin }) => {
    const agent = await begin([{ say: 'all done' }]);
    await agent.turnsEnded(1);
    await agent.send({ kind: 'end' });
    expect((await agent.end()).status).toBe(0);
    expect(agent.stateMax).toBeLessThan(2_000);
  });
}

/** Of an agent whose turn is its process. */
async function ended(agent: Driven) {
  const told = agent.seen('turnEnded').then(({ turn }) => turn);
  told.catch(() => undefined);
  const { turn } = await Promise.race([agent.end(), told.then((one) => ({ turn: one }))]);
  if (turn === null) throw new Error('the process ended without a word on its turn');
  return turn;
}
