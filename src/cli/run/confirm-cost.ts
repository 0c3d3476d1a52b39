// `limits.confirm-above`: a run that could spend more than that starts only after a person has agreed.

import type { CompiledRun } from '../../plan/compile/compile-plan.ts';
import type { Plan } from '../../plan/plan.ts';
import { omittedTasks } from '../../plan/preview/waves.ts';
import { type WorstCase, worstCase } from '../../plan/preview/worst-case.ts';
import { Fault } from '../../std/fault.ts';
import type { Context } from '../client/context.ts';
import { askYesNo } from '../terminal/ask-yes-no.ts';
import { canAsk } from '../terminal/secret-input.ts';
import { amountText, attemptsText, worstText } from '../text/worst-case-text.ts';

export interface Costly {
  readonly plan: Plan;
  readonly compiled: CompiledRun;
  readonly inputs: Readonly<Record<string, string>>;
}

/** Whether the run may start. Throws a Fault if no person can be asked. */
export async function isConfirmed({ terminal }: Context, { plan, compiled, inputs }: Costly): Promise<boolean> {
  const worst = worstCase(compiled, omittedTasks(plan, inputs));
  const above = tooMuch(worst, plan);
  if (above.length === 0) return true;
  if (!canAsk()) {
    throw new Fault('bad_request', `${above.join('; ')}. Nobody can be asked here: say yes with --yes`);
  }
  for (const line of above) terminal.note(line);
  if (await askYesNo('Run it?')) return true;
  terminal.note('Not run.');
  return false;
}

function tooMuch(worst: WorstCase, { limits: { confirmAbove } }: Plan): string[] {
  const { agents = Number.POSITIVE_INFINITY, ...amounts } = confirmAbove ?? {};
  const asked = Object.entries(amounts) as [keyof WorstCase['by'], number][];
  const { known, perItem } = worst.attempts;
  const many = `this plan is confirmed above ${agents} agents, and there could be more: ${attemptsText(worst.attempts)}`;
  const spent = asked.flatMap(([what, limit]) => {
    const { atMost } = worst.by[what];
    if (atMost !== null && atMost <= limit) return [];
    const text = worstText(what, worst.by[what], worst.attempts);
    return [`this plan is confirmed above ${amountText(what, limit)}, and could spend more: ${text}`];
  });
  return known > agents || (perItem.length > 0 && Number.isFinite(agents)) ? [...spent, many] : spent;
}
