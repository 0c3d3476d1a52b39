// Follows one launch: lines through the codec, facts into the journal together with the offset they were read to.
// Lines that change nothing move no offset: after a crash they are simply read again, by the same pure codec.

import type { Harness } from '../harness/harness.ts';
import { type AgentFact, changesState } from '../model/agent-fact.ts';
import type { Attempt } from '../model/attempt.ts';
import type { Command } from '../model/command.ts';
import { ownMessageId } from '../model/ids.ts';
import { taskOf } from '../model/lookup.ts';
import type { LineBatch } from '../process/launches.ts';
import { must } from '../std/assert.ts';
import type { Clock } from '../std/clock.ts';
import { answerAtOnce } from './answers.ts';
import type { EffectContext } from './effects.ts';
import { createMetering } from './metering.ts';
import { readOutput } from './typed-outputs.ts';

/** Without facts for this many bytes the offset is journalled anyway, so that a restart reads no more than that. */
const checkpointBytes = 4 << 20;

/** Returns the end of the launch; null if somebody else has read further, so that we start anew from the record. */
export async function watchLaunch(context: EffectContext, harness: Harness, attempt: Attempt): Promise<Command | null> {
  const launch = must(attempt.launch, 'it runs');
  const launchId = launch.id;
  const { spec } = taskOf(context.run, attempt.taskId);
  let recorded = launch.offset;
  let codec = launch.codec ?? harness.initial;
  const inFlight = (): readonly string[] => harness.inFlight(codec);
  context.follow(launchId, inFlight);

  const metering = createMetering(context, harness, attempt);
  const journal = async (facts: readonly AgentFact[], replies: readonly string[], to: number): Promise<void> => {
    const outcome = await context.send({ type: 'output', launchId, from: recorded, to, codec, facts, replies });
    if (outcome.kind === 'refused') throw new ReadFurther(outcome.refusal.reason);
    recorded = to;
  };

  const onLines = async ({ lines, end, flaws = [] }: LineBatch): Promise<void> => {
    const facts: AgentFact[] = [];
    const replies: string[] = [];
    let flawed = 0;
    let turnEnd: string | null = null;
    for (const [index, line] of lines.entries()) {
      const step = harness.read(codec, line);
      if (flaws[flawed]?.index === index) {
        flawed += 1;
        // Not what the agent wrote, even where it can be read.
        if (!step.events.some(({ kind }) => kind === 'garbage'))
          context.tell(launchId, { kind: 'garbage', text: line });
      }
      codec = step.state;
      replies.push(...step.replies);
      for (const event of step.events) {
        context.tell(launchId, event);
        if (event.kind === 'usage') turnEnd = step.state;
        const answer = answerAtOnce(context.run, attempt, event);
        if (answer !== null) replies.push(harness.encode({ messageId: ownMessageId(attempt.id, 0), body: answer }));
        else if (event.kind === 'structured') {
          const output = readOutput(spec, event.value);
          if (output !== null) facts.push(output);
        } else if (changesState(event)) facts.push(timed(event, context.ports.clock));
      }
    }
    if (facts.length === 0 && replies.length === 0 && end - recorded < checkpointBytes) return;
    await journal(await metering.measure(facts, { codec, turnEnd }), replies, end);
  };

  try {
    if (recorded === 0) await metering.begin();
    const end = await context.ports.launches.watch(launchId, launch.offset, onLines, context.signal);
    const status = end.kind === 'ended' ? end.status : null;
    // What it used after its last word would be counted nowhere.
    const left = await metering.atEnd(codec);
    if (left !== null) await journal([left], [], recorded);
    return { type: 'down', launchId, status, turn: harness.ended(codec, status), inFlight: inFlight() };
  } catch (error) {
    if (error instanceof ReadFurther) return null;
    throw error;
  }
}

/** An agent that was told how long to wait has no clock; from here on it is a time. */
function timed(fact: AgentFact, clock: Clock): AgentFact {
  if (fact.kind !== 'limited' || fact.waitMs === undefined) return fact;
  const { waitMs, ...limited } = fact;
  return { ...limited, untilMs: limited.untilMs ?? clock.now() + waitMs };
}

class ReadFurther extends Error {}
