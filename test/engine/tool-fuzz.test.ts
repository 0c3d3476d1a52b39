// Ten thousand malformed calls of our tools, through the codec, src/engine/tool-calls, the decisions and the journal of a real
// engine: each gets one answer, none does what it may not, nothing breaks, and the journal agrees with the state.

import { setImmediate as breathe } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Engine, startEngine } from '../../src/engine/engine.ts';
import { loadRun } from '../../src/engine/load-stream.ts';
import type { RunEvent } from '../../src/model/core/events.ts';
import type { Run, Task } from '../../src/model/core/run.ts';
import { evolve } from '../../src/model/evolve.ts';
import { readEvent } from '../../src/model/format.ts';
import { emptyRun } from '../../src/model/new-state.ts';
import { writeRun } from '../../src/model/snapshot.ts';
import type { Journal } from '../../src/ports/journal.ts';
import { openMemoryJournal } from '../../src/store/memory/memory-journal.ts';
import { launch, task } from '../model/story.ts';
import { sized } from '../size.ts';
import { until } from '../until.ts';
import { type Before, limits, lookBefore, wrongWith, wrongWithRefused } from './call-oracle.ts';
import { options } from './quiet-world.ts';
import { type TalkingWorld, talkingWorld } from './talking-world.ts';
import { type WildCall, wildCall } from './wild-calls.ts';

const runId = 'run_wild' as const;
const callsFull = 10_000;
/** The core is how the full sequence begins. */
const calls = sized(4_000, callsFull);
const seed = 20_261_116;
/** Of one answer, in characters: a part of something that is read, quoted. */
const answerMax = 40_000;
const slowMs = 5_000;

it(`${calls} random calls: each is answered once, none is accepted wrongly, nothing breaks [CHILD-53]`, {
  timeout: 300_000,
}, async () => {
  const journal = openMemoryJournal();
  const world = talkingWorld(journal);
  const engine = await startEngine(world.ports, { ...options, slots: 100, snapshotEvery: 5_000 });
  try {
    await begin(engine, world);
    const tally: Tally = { made: 0, accepted: new Map(), refused: 0, slowest: 0 };
    for (const [n, call] of fc.sample(wildCall, { numRuns: calls, seed }).entries())
      await make(call, n, { engine, world, journal, tally });
    if (process.env['TALLY'] !== undefined) console.log(tally);
    // Otherwise it would show nothing.
    for (const tool of Object.keys(often)) {
      expect(tally.accepted.get(tool) ?? 0, `accepted ${tool}`).toBeGreaterThanOrEqual(sized(1, often[tool] ?? 0));
    }
    expect(tally.made).toBeGreaterThan(calls * 0.98);
    expect(tally.refused).toBeGreaterThan(calls / 4);
    expect(tally.slowest).toBeLessThan(slowMs);
    expect(world.warnings).toEqual([]);
    expect(engine.status.trouble).toBeNull();
    await expectSame(engine, journal);
  } finally {
    await engine.stop();
  }
});

/** How often in the full size a tool has to have been used with success (in the core once), for the test to be worth something. */
const often: Readonly<Record<string, number>> = {
  spawn_agent: 30,
  wait: 50,
  get_task: 50,
  list_tasks: 50,
  read_output: 50,
  stop_task: 3,
  report_progress: 50,
  send_message: 20,
  read_inbox: 50,
  ask_person: 3,
  submit_artifact: 1,
  claim_paths: 5,
  release_paths: 50,
  team_create: 3,
  team_list: 50,
  team_tasks: 10,
  claim_task: 3,
};

interface Tally {
  made: number;
  readonly accepted: Map<string, number>;
  refused: number;
  slowest: number;
}

interface Scene {
  readonly engine: Engine;
  readonly world: TalkingWorld;
  readonly journal: Journal;
  readonly tally: Tally;
}

async function begin(engine: Engine, world: TalkingWorld): Promise<void> {
  const output = { type: 'object', required: ['ok'], properties: { ok: { type: 'boolean' } } };
  const tasks = [
    task('alpha', { budget: { tokens: 1_000 } }),
    task('beta', { writes: ['src/**', 'docs/**'], output }),
    task('gamma', { writes: [], keeps: false, phase: 'one' }),
    task('late', { needs: ['task_alpha'] }),
  ];
  const children = {
    ...limits,
    spawnsPerMinute: 1e6,
    messagesPerMinute: 1e6,
    mailboxCharsMax: 400_000,
    hopsMax: 12,
    idleMs: 1e9,
  };
  const roles = { reader: { prompt: 'You only read.', settings: {} } };
  const run = {
    id: runId,
    name: 'wild',
    repo: { path: '/r', base: 'b' },
    limits: { parallelMax: 100, children },
    roles,
  };
  expect(await engine.send(runId, { type: 'submit', run, tasks })).toEqual({ kind: 'accepted' });
  await until(() => world.live.size === 3, { what: 'all to run' });
  for (const [name, lead] of [
    ['red', 'alpha'],
    ['blue', 'beta'],
  ] as const) {
    const say = (tool: string, args: object): Promise<void> =>
      world.say(
        launch(lead),
        lineOf({ tool, args: JSON.stringify(args), id: 'none', rpcId: 1 }, `${tool}-${name}`, ''),
      );
    await say('team_create', { name });
    await say('team_tasks', { team: name, add: Array.from({ length: 20 }, (_, i) => ({ title: `item ${i}` })) });
  }
}

const lastIds = new Map<string, string>();

async function make(given: WildCall, n: number, { engine, world, journal, tally }: Scene): Promise<void> {
  await stillness(journal);
  const launches = [...world.live];
  const launchId = launches[given.caller % launches.length] ?? '';
  const { caller, before, seq } = await engine.look(({ runs }) => {
    const run = runs.get(runId) as Run;
    const attempt = [...run.live.values()].find(({ launches: { current: launch } }) => launch?.id === launchId);
    const caller = attempt && run.tasks.get(attempt.taskId);
    return { caller, before: lookBefore(run, caller), seq: run.seq };
  });
  if (caller === undefined) return;
  if (given.ends && caller.spec.parent !== null) return world.say(launchId, endLine);
  const call = { ...given, args: withNames(given, before, caller) };
  tally.made += 1;
  const requestId = `r${n}`;
  const callId = call.id === 'again' ? (lastIds.get(launchId) ?? 'first') : `call-${n}`;
  if (call.id !== 'none') lastIds.set(launchId, callId);
  const since = performance.now();
  await world.say(launchId, lineOf(call, requestId, callId));
  tally.slowest = Math.max(tally.slowest, performance.now() - since);

  const events = await eventsSince(journal, seq);
  const shown = `call ${n}: ${call.tool.slice(0, 60)} ${call.args.slice(0, 300)}`;
  const answer = onlyAnswer(events, requestId, shown);
  expect(answer.text.length, shown).toBeLessThanOrEqual(answerMax);
  expect(answer.text.trim(), shown).not.toBe('');
  const answeredAt = events.findIndex((event) => isAnswer(event, requestId));
  const done = events.slice(0, answeredAt).filter(isEffect);
  if (answer.isError) {
    tally.refused += 1;
    const input = Object(safeJson(call.args)) as Record<string, unknown>;
    expect(wrongWithRefused({ before, caller, tool: call.tool, input, events: done }), shown).toBeNull();
    return;
  }
  // The same call again is answered the same, and does nothing.
  if (events.every(({ type }) => type !== 'call.answered')) return expect(done, shown).toEqual([]);
  const input = JSON.parse(call.args) as Record<string, unknown>;
  expect(wrongWith({ before, caller, tool: call.tool, input: input ?? {}, events: done }), shown).toBeNull();
  tally.accepted.set(call.tool, (tally.accepted.get(call.tool) ?? 0) + 1);
}

/** Some of them are nested so deep that they are refused unread. */
function safeJson(text: string): unknown {
  return text.includes('[['.repeat(100)) || text.includes('{"a":'.repeat(100)) ? {} : JSON.parse(text);
}

/** Names of a child of the caller, of any task, and its own. */
function withNames({ args, caller: chance }: WildCall, before: Before, caller: Task): string {
  const all = [...before.tasks.values()];
  const teams = [...before.teams].flatMap(([name, { lead, members }]) =>
    [lead, ...members].includes(caller.spec.id) ? [name] : [],
  );
  const below = all.filter(({ spec }) => spec.parent === caller.spec.id);
  const pick = (from: readonly Task[]): string => JSON.stringify(from[chance % from.length]?.spec.name ?? 'nobody');
  return args
    .replaceAll('"@below"', pick(below))
    .replaceAll('"@any"', pick(all))
    .replaceAll('"@team"', JSON.stringify(teams[chance % teams.length] ?? 'none'))
    .replaceAll('"@own"', JSON.stringify(caller.spec.name));
}

const endLine = JSON.stringify({
  type: 'result',
  subtype: 'success',
  is_error: false,
  result: 'done',
  session_id: 's',
});

function lineOf(
  { tool, args, rpcId, id }: Pick<WildCall, 'tool' | 'args' | 'rpcId' | 'id'>,
  requestId: string,
  callId: string,
): string {
  const meta = id === 'none' ? '' : `,"_meta":{"claudecode/toolUseId":${JSON.stringify(callId)}}`;
  const params = `{"name":${JSON.stringify(tool)},"arguments":${args}${meta}}`;
  const message = `{"jsonrpc":"2.0","id":${JSON.stringify(rpcId)},"method":"tools/call","params":${params}}`;
  const request = `{"subtype":"mcp_message","server_name":"signalbox","message":${message}}`;
  return `{"type":"control_request","request_id":${JSON.stringify(requestId)},"request":${request}}`;
}

/** All events but the offset, the note of the call, and notices that are raised once. */
function isEffect({ type }: RunEvent): boolean {
  return type !== 'launch.read' && type !== 'call.answered' && type !== 'limit.reached';
}

/** Until what earlier calls led to has happened: then what follows a call is its own. */
async function stillness(journal: Journal): Promise<void> {
  for (let [same, last] = [0, -1]; same < stillRounds; ) {
    await breathe();
    const seq = (await journal.head(runId))?.seq ?? 0;
    [same, last] = [seq === last ? same + 1 : 0, seq];
  }
}

const stillRounds = 3;

function onlyAnswer(events: readonly RunEvent[], requestId: string, shown: string): { text: string; isError: boolean } {
  const answers = events.flatMap((event) => {
    if (event.type !== 'record.queued' || !isAnswer(event, requestId)) return [];
    const { body } = event;
    if (body.kind === 'toolAnswer') return [{ text: body.text, isError: body.isError }];
    return body.kind === 'record' ? [{ text: body.record, isError: true }] : [];
  });
  expect(answers, shown).toHaveLength(1);
  return answers[0] as { text: string; isError: boolean };
}

/** Answered by src/engine/tool-calls, or by the codec if it could not be read. */
function isAnswer(event: RunEvent, requestId: string): boolean {
  if (event.type !== 'record.queued') return false;
  const { body } = event;
  if (body.kind === 'toolAnswer') return body.requestId === requestId;
  return body.kind === 'record' && body.record.includes(`"request_id":"${requestId}"`);
}

async function eventsSince(journal: Journal, seq: number): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  for (;;) {
    const page = await journal.read(runId, seq + events.length, 1_000);
    if (page.length === 0) return events;
    events.push(...page.map((stored) => readEvent<RunEvent>(stored, stored.at)));
  }
}

/** The state, its snapshot with later events, and a fold of all events are the same. */
async function expectSame(engine: Engine, journal: Journal): Promise<void> {
  const { seq, text } = await engine.look(({ runs }) => {
    const run = runs.get(runId) as Run;
    return { seq: run.seq, text: writeRun(run) };
  });
  const folded = emptyRun();
  for (const event of (await eventsSince(journal, 0)).slice(0, seq)) evolve(folded, event);
  expect(writeRun(folded) === text).toBe(true);
  const loaded = (await loadRun(journal, runId)) as Run;
  if (loaded.seq === seq) expect(writeRun(loaded) === text).toBe(true);
}
