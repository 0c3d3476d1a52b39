// One agent driven through the seam alone: real launches, its codec over what they print, its records into their
// input. What the engine does with a journal, this does in memory.

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { RecordId } from '../../src/model/core/ids.ts';
import type { JsonObject } from '../../src/model/core/json.ts';
import { type AgentEvent, changesState, type Turn } from '../../src/model/session/agent-fact.ts';
import type { AgentContext, Harness, MeteredRequest, Order, OrderBody, ReadStep } from '../../src/ports/harness.ts';
import { namespaceConfine, plainConfine, probeNamespace } from '../../src/process/confine.ts';
import { openLaunches } from '../../src/process/launch/launches.ts';
import { assert } from '../../src/std/assert.ts';
import { globPattern, pathWild } from '../../src/std/glob-pattern.ts';
import { until } from '../until.ts';

const namespaces = await probeNamespace();
const seenWithinMs = 15_000;
let worlds = 0;

export interface Driven {
  readonly work: string;
  /** Of all launches, in order. */
  readonly events: readonly AgentEvent[];
  /** Longest text that the codec's state ever was. */
  readonly stateMax: number;
  /** Starts a process for the agent; resumed from the second one on. */
  launch(): Promise<void>;
  send(body: OrderBody): Promise<RecordId>;
  /** The nth event of a kind that fits, from the first launch on. */
  seen<Kind extends AgentEvent['kind']>(
    kind: Kind,
    fits?: (event: Extract<AgentEvent, { kind: Kind }>) => boolean,
    nth?: number,
  ): Promise<Extract<AgentEvent, { kind: Kind }>>;
  all<Kind extends AgentEvent['kind']>(kind: Kind): Extract<AgentEvent, { kind: Kind }>[];
  turnsEnded(count: number): Promise<Turn>;
  kill(): Promise<void>;
  /** How the process ended and what the harness makes of it. */
  end(): Promise<End>;
  delivered(sent: readonly RecordId[]): ReadonlySet<RecordId>;
  /** What its session's record says of each request, when the newest is in it. */
  metered(): Promise<readonly MeteredRequest[]>;
  file(name: string): string | null;
  close(): Promise<void>;
}

export interface End {
  readonly status: number | null;
  readonly turn: Turn | null;
  readonly inFlight: readonly string[];
}

export interface DriveOptions {
  readonly harness: Harness;
  readonly settings: Readonly<Record<string, string>>;
  readonly sandboxed: boolean;
  readonly schema?: JsonObject | null;
  readonly brake?: boolean;
}

export function drive({ harness, settings, sandboxed, schema = null, brake = false }: DriveOptions): Driven {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-harness-')));
  const [work, home] = [join(root, 'work'), join(root, 'home')];
  for (const folder of [work, home]) mkdirSync(folder);
  const launches = openLaunches({
    root: join(root, 'launches'),
    confine: namespaces.works ? namespaceConfine : plainConfine,
  });
  worlds += 1;
  const events: AgentEvent[] = [];
  const stopping = new AbortController();
  let launched = 0;
  let messages = 0;
  let written = 0;
  let stateMax = 0;
  let [initial, state] = ['', ''];
  let session: string | null = null;
  let ending: Promise<End> | null = null;

  const context = (): AgentContext => ({
    agentId: `agent_test-${process.pid}-${worlds}`,
    session,
    resume: session !== null && launched > 1,
    settings,
    home,
    sandboxed,
    schema,
    brake,
  });
  const launchId = (): string => `h${process.pid}-${worlds}-${launched}`;
  // One record after the other: replies of the codec and orders of the test share the input.
  let writing = Promise.resolve();
  const write = (record: string): Promise<void> => {
    writing = writing.then(async () => {
      if (record !== '') written = await launches.write(launchId(), written, record);
    });
    return writing;
  };
  let waiting: Order | null = null;
  // The engine tries again when it has journalled a line, and it journals only lines with facts.
  const checkTold = (before: string, { state: after, events: told, replies }: ReadStep): void => {
    if (waiting === null) return;
    const [was, is] = [before, after].map((each) => harness.encode(each, waiting as Order, context()));
    if (was !== 'notYet' || is === 'notYet') return;
    assert(
      told.some(changesState) || replies.length > 0,
      `${harness.name}: nothing tells that ${waiting.body.kind} is possible`,
    );
  };
  const follow = async (): Promise<End> => {
    initial = harness.initial(context());
    state = initial;
    const ended = await launches.watch(
      launchId(),
      0,
      async ({ lines }) => {
        for (const line of lines) {
          const step = harness.read(state, line);
          checkTold(state, step);
          state = step.state;
          stateMax = Math.max(stateMax, state.length);
          for (const event of step.events) if (event.kind === 'session') session = event.session;
          events.push(...step.events);
          for (const reply of step.replies) await write(reply);
        }
      },
      stopping.signal,
    );
    const status = ended.kind === 'ended' ? ended.status : null;
    return { status, turn: harness.ended(state, status), inFlight: harness.inFlight(state) };
  };
  const driven: Driven = {
    work,
    events,
    get stateMax() {
      return stateMax;
    },
    async launch() {
      launched += 1;
      written = 0;
      const order = harness.command(context());
      for (const { path, text } of order.files ?? []) {
        mkdirSync(dirname(join(home, path)), { recursive: true });
        writeFileSync(join(home, path), text, { mode: 0o600 });
      }
      const path = process.env['PATH'] ?? '';
      const spec = { launchId: launchId(), argv: order.argv, env: { PATH: path, ...order.env }, cwd: work };
      await launches.start(spec, stopping.signal);
      ending = follow();
      ending.catch(() => undefined);
      await write(harness.opening(context()));
    },
    async send(body) {
      messages += 1;
      const recordId: RecordId = `record_test${worlds}-${messages}`;
      const order = { recordId, body };
      // As the engine does: what needs an id waits until the agent has handed it out.
      waiting = order;
      const record = await until(() => recordFor(harness, state, order, initial, context()), {
        what: `an id for ${body.kind}`,
      });
      await write(record);
      return recordId;
    },
    seen: (kind, fits = () => true, nth = 1) =>
      until(() => driven.all(kind).filter(fits)[nth - 1], {
        timeoutMs: seenWithinMs,
        what: `${kind} (${nth}); seen so far: ${events.map((event) => event.kind).join(' ')}`,
      }),
    all: <Kind extends AgentEvent['kind']>(kind: Kind) =>
      events.filter((event): event is Extract<AgentEvent, { kind: Kind }> => event.kind === kind),
    turnsEnded: async (count) => (await driven.seen('turnEnded', () => true, count)).turn,
    kill: () => launches.signal(launchId(), 'kill'),
    async end() {
      if (ending === null) throw new Error('nothing was launched');
      return ending;
    },
    delivered(sent) {
      const path = harness.transcript(context(), work);
      const file = path === null ? null : fileBelow(home, path);
      return file === null ? new Set() : harness.delivered(readFileSync(file, 'utf8').split('\n'), sent);
    },
    metered: () =>
      until(
        () => {
          const requests = recordOf(harness, context(), work);
          const awaited = harness.meter?.awaited(state) ?? null;
          return awaited === null || requests.get(awaited.id)?.whole === true ? [...requests.values()] : null;
        },
        { what: 'the newest request in the record' },
      ),
    file(name) {
      try {
        return readFileSync(join(work, name), 'utf8');
      } catch {
        return null;
      }
    },
    async close() {
      if (launched > 0) await launches.signal(launchId(), 'kill');
      stopping.abort(new Error('the test is over'));
      await ending?.catch(() => undefined);
      rmSync(root, { recursive: true, force: true });
    },
  };
  return driven;
}

/** null: not yet. Made again from what it is said to carry, or from any state where that is nothing, it is the same. */
function recordFor(harness: Harness, state: string, order: Order, initial: string, agent: AgentContext): string | null {
  const made = harness.encode(state, order, agent);
  if (made === 'notYet') return null;
  const again = harness.encode(made.pinned ?? initial, order, agent);
  assert(
    again !== 'notYet' && again.record === made.record,
    `${harness.name}: ${order.body.kind} is not always the same`,
  );
  return made.record;
}

/** As homes find it: `*` stands for a part of a name. */
function fileBelow(home: string, pattern: string): string | null {
  const fits = globPattern(pattern, pathWild);
  const name = (readdirSync(home, { recursive: true }) as string[]).toSorted().findLast((each) => fits.test(each));
  return name === undefined ? null : join(home, name);
}

function recordOf({ meter }: Harness, agent: AgentContext, work: string): Map<string, MeteredRequest> {
  const requests = new Map<string, MeteredRequest>();
  if (meter === undefined) return requests;
  const { file, folder } = meter.places(agent, work);
  const read = (path: string | null): void => {
    const readLine = meter.reader();
    for (const line of path !== null && existsSync(path) ? readFileSync(path, 'utf8').split('\n') : []) {
      const request = readLine(line);
      if (request !== null) requests.set(request.id, request);
    }
  };
  read(fileBelow(agent.home, file));
  const more = folder === null ? null : join(agent.home, folder);
  if (more === null || !existsSync(more)) return requests;
  for (const name of readdirSync(more)) if (name.endsWith('.jsonl')) read(join(more, name));
  return requests;
}
