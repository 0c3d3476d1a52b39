// `run --dry-run`: which tasks of a plan could run together, wave by wave, and what it could cost at most. Asks a running
// daemon, and starts none.

import { modelCosts } from '../../plan/preview/model-costs.ts';
import { type Wave, type WaveTask, wavesOf } from '../../plan/preview/waves.ts';
import { worstCase } from '../../plan/preview/worst-case.ts';
import { shownJson } from '../../std/plain-text.ts';
import { statusView } from '../../wire/status-views.ts';
import { type Context, exits } from '../client/context.ts';
import { modelCostLines } from '../text/model-cost-text.ts';
import { worstCaseLines } from '../text/worst-case-text.ts';
import type { Costly } from './confirm-cost.ts';
import { ownPrices } from './own-prices.ts';

export async function dryRun(
  { client, terminal, place, lent }: Context,
  { plan, compiled, inputs }: Costly,
  json: boolean,
): Promise<number> {
  const status = await client.getIfUp('/status', statusView);
  const slots = status?.slots.all ?? place.slots;
  const { waves, omitted } = wavesOf(plan, { slots, inputs });
  const worst = worstCase(compiled, new Set(omitted));
  const [harnesses, { prices }] = await Promise.all([lent.harnesses(), ownPrices(place.home, false)]);
  const costs = modelCosts(compiled, new Set(omitted), harnesses, prices.own);
  const maxParallel = plan.limits.maxParallel;
  if (json) {
    const shown = { name: plan.name, slots, maxParallel, waves, omitted, worstCase: worst, models: costs };
    await terminal.print(`${shownJson(shown)}\n`);
    return exits.ok;
  }
  const limits = `${maxParallel === null ? '' : `max-parallel ${maxParallel}, `}${slots} slots on this host`;
  const lines = [
    `${plan.name}: ${plan.tasks.length} tasks in ${waves.length} waves, were all equally long (${limits})`,
  ];
  for (const [i, wave] of waves.entries()) lines.push(...waveLines(wave, i + 1));
  if (omitted.length > 0) lines.push(`left out: ${omitted.join(', ')}`);
  if (waves.some(({ tasks }) => tasks.some(({ maybe }) => maybe))) lines.push('? only if its condition holds');
  lines.push(...worstCaseLines(worst), ...modelCostLines(costs), 'nothing was started');
  await terminal.print(`${lines.join('\n')}\n`);
  return exits.ok;
}

function waveLines({ tasks, held }: Wave, number: number): string[] {
  const head = `wave ${number}`.padEnd(9);
  const waits = held.map(({ name, by, path }) => `${' '.repeat(9)}${name} waits for ${by}: ${path}`);
  return [`${head}${tasks.map(taskText).join(', ')}`, ...waits];
}

function taskText({ name, items, maybe, gate }: WaveTask): string {
  if (gate) return `${name}${maybe ? '?' : ''} (a person decides)`;
  const count = items === null ? '' : items.all === null ? ' (one for each item)' : ` (${items.now} of ${items.all})`;
  return `${name}${maybe ? '?' : ''}${count}`;
}
