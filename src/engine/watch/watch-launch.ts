// Follows one launch: passes its lines through the codec and journals the facts together with the offset they were read
// to. Lines that change nothing move no offset: after a crash the same pure codec reads them again.

import type { Attempt } from '../../model/core/attempt.ts';
import type { Command } from '../../model/core/command.ts';
import { type LaunchId, ownRecordId } from '../../model/core/ids.ts';
import { taskOf } from '../../model/core/lookup.ts';
import type { Run } from '../../model/core/run.ts';
import { type AgentEvent, type AgentFact, changesState } from '../../model/session/agent-fact.ts';
import type { AnswerBody, Harness } from '../../ports/harness.ts';
import type { LineBatch } from '../../ports/launch-port.ts';
import { assert, must } from '../../std/assert.ts';
import type { Clock } from '../../std/clock.ts';
import { agentContext } from '../effects/launch-effects.ts';
import type { EffectContext } from '../effects/run-effect.ts';
import { readCall } from '../tool-calls/tool-calls.ts';
import { createSpeech, type Speech } from './agent-speech.ts';
import { readOutput } from './check-output.ts';
import { type Filling, followFilling } from './context-usage.ts';
import { createHeldRounds } from './held-rounds.ts';
import { lineEnds } from './line-ends.ts';
import { createMetering, type Metering, withPrice } from './metering.ts';
import { withKnownCommits } from './named-commits.ts';
import { byTheRules } from './permission-answers.ts';
import { createLineSource, type LineSource } from './unreadable-lines.ts';

/** Without facts for this many bytes the offset is journalled anyway, so that a restart reads no more than that. */
const checkpointBytes = 4 << 20;

/** Returns the end of the launch; null if another engine has read further, so that we start again from the journal. */
export async function watchLaunch(context: EffectContext, harness: Harness, attempt: Attempt): Promise<Command | null> {
  const launch = must(attempt.launches.current, 'it runs');
  const launchId = launch.id;
  const task = taskOf(context.run, attempt.taskId);
  const initial = harness.initial(agentContext(context.ports, context.run, task, attempt));
  const filling = followFilling(context.run, attempt, harness);
  const metering = createMetering(context, harness, attempt);
  const place: Place = { recorded: launch.offset, batchStart: launch.offset, codec: launch.codec ?? initial };
  const inFlight = (): readonly string[] => harness.inFlight(place.codec);
  context.follow(launchId, inFlight);
  const journal = async (facts: readonly AgentFact[], replies: readonly string[], to: number): Promise<void> => {
    const { recorded: from, codec } = place;
    const outcome = await context.send({ type: 'output', launchId, from, to, codec, facts, replies });
    if (outcome.kind === 'refused') throw new ReadFurther(outcome.refusal.reason);
    place.recorded = to;
  };
  const { offset } = launch;
  const source = createLineSource(context, harness, launchId);
  const speech = createSpeech(context, launchId, () => saidBefore(context, harness, { launchId, initial, offset }));
  const onLines = lineReader({ context, harness, source, attempt, speech, metering, filling, place, journal });
  try {
    if (place.recorded === 0) await metering.begin();
    else metering.glance(place.codec);
    const end = await context.ports.launches.watch(launchId, offset, onLines, context.signal);
    const status = end.kind === 'ended' ? end.status : null;
    // Usage after its last reported turn would not be counted anywhere.
    const left = await metering.atEnd(place.codec);
    if (left !== null) await journal([left], [], place.recorded);
    const held = harness.ended(place.codec, status);
    const turn = held === null ? null : await speech.ended(held);
    const unfinished = turn === null ? await speech.unfinished() : null;
    const said = unfinished === null ? {} : { unfinished };
    return { type: 'down', launchId, status, turn, inFlight: inFlight(), ...said };
  } catch (error) {
    if (error instanceof ReadFurther) return null;
    throw error;
  } finally {
    await metering.end();
  }
}

/** Its last words since its last input, before the offset from which it is followed now. */
async function saidBefore(
  context: EffectContext,
  harness: Harness,
  { launchId: id, initial, offset }: { launchId: LaunchId; initial: string; offset: number },
): Promise<string> {
  const source = createLineSource(context, harness, id);
  const from = Math.max(0, offset - recalledMax);
  const part = offset === 0 ? null : await context.ports.launches.readOut(id, from, offset - from);
  let [last, codec] = ['', initial];
  for (const line of part?.text.split('\n') ?? []) {
    const { state, events } = source.read(codec, line);
    codec = state;
    for (const event of events) {
      if (event.kind === 'delivered') last = '';
      if (event.kind === 'text' && event.within === null) last = event.text;
    }
  }
  return last;
}

/** Parts of requests to the model: after these, usage has grown. */
const requestKinds: ReadonlySet<AgentEvent['kind']> = new Set(['text', 'toolCall', 'toolResult', 'context']);

/** In bytes: older text is only in the transcript. */
const recalledMax = 256 << 10;

/** How far the output was read and journalled, and the codec's state after the last line. */
interface Place {
  recorded: number;
  batchStart: number;
  codec: string;
}

interface Reading {
  readonly context: EffectContext;
  readonly harness: Harness;
  readonly source: LineSource;
  readonly attempt: Attempt;
  readonly speech: Speech;
  readonly metering: Metering;
  readonly filling: Filling;
  readonly place: Place;
  journal(facts: readonly AgentFact[], replies: readonly string[], to: number): Promise<void>;
}

function lineReader(reading: Reading): (batch: LineBatch) => Promise<void> {
  const { context, harness, source, attempt, speech, metering, filling, place, journal } = reading;
  const { ports, run, lookRun, signal } = context;
  const task = taskOf(run, attempt.taskId);
  const { spec } = task;
  const agent = agentContext(ports, run, task, attempt);
  const answerRecord = (codec: string, body: AnswerBody): string => {
    const made = harness.encode(codec, { recordId: ownRecordId(attempt.id, 0), body }, agent);
    assert(made !== 'notYet', 'the answer to a request carries the id of the request');
    return made.record;
  };
  // What it costs is estimated where it does not say so itself.
  const priced = (fact: AgentFact): AgentFact =>
    fact.kind === 'usage' && !harness.capabilities.includes('cost') ? { ...fact, ...withPrice(ports, fact) } : fact;
  // The run may have been reloaded since this launch is followed.
  const present = (): Promise<Run> =>
    lookRun(must(run.spec, 'it was submitted').id, (now) => must(now, 'a run is there while one of its launches is'));
  const endsHeldRound = createHeldRounds(harness, attempt, present);
  return async (batch) => {
    const { lines, end, flaws = [] } = batch;
    const flawed = new Set(flaws.map(({ index }) => index));
    const ends = lineEnds(batch, place.batchStart);
    place.batchStart = end;
    let [facts, replies]: [AgentFact[], string[]] = [[], []];
    let turnEnd: string | null = null;
    let answered = false;
    const flush = async (to: number): Promise<void> => {
      const told = await metering.measure(facts, { codec: place.codec, turnEnd });
      const said = replies;
      [facts, replies, turnEnd] = [[], [], null];
      await journal(told, said, to);
    };
    const onCall = async (call: ServerCall, index: number, before: string): Promise<void> => {
      const after = place.codec;
      place.codec = before;
      // Earlier facts are journalled first: a call is decided on their basis.
      if (facts.length + replies.length > 0) await flush(ends(index - 1));
      place.codec = after;
      const request = await readCall({ ports, lookRun, signal, run: await present() }, attempt, call, speech.worked());
      await journal([{ kind: 'call', ...request }], [], ends(index));
    };
    for (const [index, line] of lines.entries()) {
      const before = place.codec;
      const step = source.read(before, line);
      // Not what the agent wrote, even if it can be parsed.
      if (flawed.has(index) && !step.events.some(({ kind }) => kind === 'garbage'))
        speech.tell({ kind: 'garbage', text: line });
      place.codec = step.state;
      replies.push(...step.replies);
      for (const event of step.events) {
        speech.tell(event);
        if (event.kind === 'usage') turnEnd = step.state;
        answered ||= requestKinds.has(event.kind);
        facts.push(...filling(event));
        const answer = event.kind === 'permissionRequest' ? byTheRules(await present(), attempt, event) : null;
        if (answer !== null) replies.push(answerRecord(step.state, answer));
        else if (event.kind === 'toolServerCall') await onCall(event, index, before);
        else if (event.kind === 'toolResult') {
          if (await endsHeldRound(step.state)) facts.push({ kind: 'roundOver' });
        } else if (event.kind === 'structured') {
          const given = readOutput(spec, event.value);
          const output = await withKnownCommits(ports, attempt, spec, given, signal);
          if (output !== null) facts.push(output);
        } else if (changesState(event)) facts.push(await speech.whole(priced(timed(event, ports.clock))));
      }
    }
    if (facts.length > 0 || replies.length > 0 || end - place.recorded >= checkpointBytes) await flush(end);
    if (answered) metering.glance(place.codec);
    await source.stopIfUnreadable();
  };
}

type ServerCall = Extract<AgentEvent, { kind: 'toolServerCall' }>;

/** Turns the delay that an agent reported into a time, because a codec has no clock. */
function timed(fact: AgentFact, clock: Clock): AgentFact {
  if (fact.kind !== 'limited' || fact.waitMs === undefined) return fact;
  const { waitMs, ...limited } = fact;
  return { ...limited, untilMs: limited.untilMs ?? clock.now() + waitMs };
}

class ReadFurther extends Error {}
