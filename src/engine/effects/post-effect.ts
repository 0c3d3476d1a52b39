// Delivers a message to another run and reports the result to the sending run. The receiving run recognises a message
// that is delivered again after a crash by its number.

import type { Command } from '../../model/core/command.ts';
import type { Effect } from '../../model/pending.ts';
import { must } from '../../std/assert.ts';
import type { EffectContext } from './run-effect.ts';

export async function post(
  { toRun, n }: Extract<Effect, { kind: 'post' }>,
  { run, sendTo }: EffectContext,
): Promise<Command> {
  const otherRun = must(run.messages.otherRuns.get(toRun), 'it was written to');
  const { message } = must(
    otherRun.outbox.find((each) => each.n === n),
    'it is to be handed over',
  );
  const consent = must(otherRun.consent, 'a person has said something');
  const { id: from, name: runName } = must(run.spec, 'it has begun');
  const outcome = await sendTo(toRun, { type: 'receive', from, runName, n, consent, message });
  const arrived = outcome.kind === 'accepted' || outcome.refusal.kind === 'stale';
  const refusal = arrived ? null : `${outcome.refusal.reason} (${toRun})`;
  return { type: 'posted', toRun, n, refusal };
}
