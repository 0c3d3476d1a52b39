// Measures what a session has used, from the agent's own transcript: before the agent is told whether it may go on,
// before a turn's usage is booked, and when its process has ended. It keeps sums only, so reading again gives the same.

import type { Attempt } from '../../model/core/attempt.ts';
import { agentOf, taskOf } from '../../model/core/lookup.ts';
import type { AgentFact } from '../../model/session/agent-fact.ts';
import { type ModelUsage, usageSince } from '../../model/spending/usage.ts';
import type { Ports } from '../../ports/engine-ports.ts';
import type { Harness } from '../../ports/harness.ts';
import { must } from '../../std/assert.ts';
import { agentContext } from '../effects/launch-effects.ts';
import type { EffectContext } from '../effects/run-effect.ts';
import { openSessionRecord } from './session-usage.ts';
import { createGlances } from './usage-glances.ts';

/** The agent writes its transcript a moment later. Waiting for it is limited to this. */
const awaitedMaxMs = 2_000;
const pollMs = 20;

export interface Metering {
  /** Called before any output of a launch is read. */
  begin(): Promise<void>;
  /** The facts, with the session's usage inserted before the first that depends on it. */
  measure(facts: readonly AgentFact[], states: States): Promise<readonly AgentFact[]>;
  /** Reads on for people, and again a little later where the newest request is not in the transcript yet. Journals nothing. */
  glance(codec: string): void;
  /** What an ended launch has used; null = nothing new. A request that is not in the transcript counts as it began. */
  atEnd(codec: string): Promise<AgentFact | null>;
  /** Nothing is read any more when this resolves. */
  end(): Promise<void>;
}

/** The codec's state after everything that was read, and at the last end of a turn; null = no turn ended. */
export interface States {
  readonly codec: string;
  readonly turnEnd: string | null;
}

const unmetered: Metering = {
  begin: async () => undefined,
  measure: async (facts) => facts,
  glance: () => undefined,
  atEnd: async () => null,
  end: async () => undefined,
};

export function createMetering(context: EffectContext, harness: Harness, attempt: Attempt): Metering {
  const { ports, run } = context;
  const { meter } = harness;
  if (meter === undefined) return unmetered;
  const { adopts } = taskOf(run, attempt.taskId).spec;
  const isAdopted = adopts !== undefined && agentOf(run, attempt.agentId).session === adopts.session;
  const record = openSessionRecord(ports.homes, attempt.agentId, meter.reader, isAdopted ? adopts.bytes : 0);
  const read = (): Promise<void> => {
    const places = meter.places(agentContext(ports, run, taskOf(run, attempt.taskId), attempt), attempt.workspace.path);
    return record.readOn(places.file, places.folder);
  };
  // Copied at the beginning: the run may be reloaded meanwhile.
  let {
    spending: { metered, booked },
  } = agentOf(run, attempt.agentId);
  let begun = false;
  /** A request that died before it reached the transcript was counted and stays counted. */
  const begin = async (): Promise<void> => {
    if (begun) return;
    begun = true;
    // Usage of an earlier process. This process reports its own usage that is not booked yet.
    if (attempt.launches.current?.resume !== true || booked.length === 0) return;
    await read();
    for (const { model, usage } of usageSince(booked, priced(ports, record.sums(null)))) {
      record.add({ id: `lost of ${model}`, whole: true, model, usage });
    }
  };
  /** null = unchanged, or nothing to read: a transcript that is gone takes nothing back. */
  const news = (parts: readonly ModelUsage[]): AgentFact | null =>
    parts.length === 0 || JSON.stringify(parts) === JSON.stringify(metered) ? null : { kind: 'metered', parts };
  const tell = (facts: readonly AgentFact[], at: number, parts: readonly ModelUsage[]): readonly AgentFact[] => {
    const told = news(parts);
    if (told === null) return facts;
    metered = parts;
    return facts.toSpliced(at, 0, told);
  };
  const launchId = must(attempt.launches.current, 'it is followed').id;
  const show = (parts: readonly ModelUsage[]): void => {
    if (parts.length > 0) context.tell(launchId, { kind: 'metered', parts });
  };
  const glances = createGlances(ports.clock, async (codec) => {
    await begin();
    await read();
    const awaited = meter.awaited(codec);
    show(priced(ports, record.sums(awaited)));
    return awaited === null || record.has(awaited.id);
  });
  return {
    begin,
    glance: glances.start,
    async measure(facts, { codec, turnEnd }) {
      const at = facts.findIndex(({ kind }) => kind === 'round' || kind === 'usage');
      if (at < 0) return facts;
      const awaited = meter.awaited(codec);
      await begin();
      await readUntil(context, read, () => awaited === null || record.has(awaited.id));
      const all = priced(ports, record.sums(awaited));
      show(all);
      if (turnEnd === null) return tell(facts, at, all);
      // The agent may be in its next turn already: that usage is not booked with the turn that ended.
      const ofTurns = priced(ports, record.sumsThrough(meter.awaited(turnEnd)));
      const counted = ofTurns.length > 0 ? withTurns(facts, usageSince(ofTurns, booked)) : facts;
      const told = tell(counted, at, ofTurns);
      booked = metered;
      return tell(told, told.findLastIndex(({ kind }) => kind === 'usage') + 1, all);
    },
    end: glances.end,
    async atEnd(codec) {
      await begin();
      await read();
      return news(priced(ports, record.sums(meter.awaited(codec))));
    },
  };
}

async function readUntil(
  { ports, signal }: EffectContext,
  read: () => Promise<void>,
  isThere: () => boolean,
): Promise<void> {
  const until = ports.clock.now() + awaitedMaxMs;
  await read();
  while (!isThere() && ports.clock.now() < until && !signal.aborted) {
    await new Promise<void>((resolve) => ports.clock.wake(ports.clock.now() + pollMs, resolve));
    await read();
  }
}

/**
 * Requests of subagents appear only in the transcript: what it counts since the last turn belongs to the turns of these facts.
 */
function withTurns(facts: readonly AgentFact[], since: readonly ModelUsage[]): readonly AgentFact[] {
  const left = new Map(since.map(({ model, usage }) => [model, usage.turns]));
  const named = new Set(facts.flatMap((fact) => (fact.kind === 'usage' ? [fact.model] : [])));
  let unnamed = since.reduce((sum, { model, usage }) => sum + (named.has(model) ? 0 : usage.turns), 0);
  return facts.map((fact) => {
    if (fact.kind !== 'usage') return fact;
    const turns = (left.get(fact.model) ?? 0) + unnamed;
    left.delete(fact.model);
    unnamed = 0;
    return { ...fact, usage: { ...fact.usage, turns } };
  });
}

function priced(ports: Ports, parts: readonly ModelUsage[]): readonly ModelUsage[] {
  return parts.map((part) => withPrice(ports, part));
}

/** With an estimated cost, if the agent reports none and the price is known. */
export function withPrice({ price }: Ports, { model, usage }: ModelUsage): ModelUsage {
  const costMicroUsd = usage.costMicroUsd ?? price(model, usage);
  const ours = usage.costMicroUsd === null && costMicroUsd !== null;
  return { model, usage: { ...usage, costMicroUsd, ...(ours ? { estimated: true } : {}) } };
}
