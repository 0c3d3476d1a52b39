// `signalbox usage`: tokens, turns, time and cost by run, task, role, model or day, and the state of accounts.

import { userInfo } from 'node:os';
import { localTime } from '../../../std/clock.ts';
import { plainLine, shownJson } from '../../../std/plain-text.ts';
import { type SummedUsage, type UsageKind, type UsageReport, usageReport } from '../../../wire/usage-views.ts';
import { accepted } from '../../../wire/views.ts';
import { exits, type Verb } from '../../client/context.ts';
import { find } from '../../client/find-id.ts';
import { closedWords } from '../../text/account-text.ts';
import { count, elapsed, shortCost } from '../../text/figures.ts';
import { tableLines } from '../../text/table.ts';
import { wrapLine } from '../../text/wrap-line.ts';

export interface UsageOptions {
  readonly by?: UsageKind;
  readonly clearLimit?: string;
  readonly json?: boolean;
}

export const usage: Verb<UsageOptions> = async (context, [word], { by, json, clearLimit }) => {
  const { client, terminal } = context;
  if (clearLimit !== undefined) {
    const path = `/accounts/${encodeURIComponent(clearLimit)}/clear`;
    await client.post(path, { by: userInfo().username }, accepted);
    await terminal.print(
      json === true ? `${shownJson({ cleared: clearLimit })}\n` : `${plainLine(clearLimit)} is used again.\n`,
    );
    return exits.ok;
  }
  const query = new URLSearchParams(by === undefined ? {} : { by });
  if (word !== undefined) query.set('run', (await find(context, word)).runId);
  const report = await client.get(`/usage?${query.toString()}`, usageReport);
  for (const { id, reason } of report.unreadable) terminal.note(`${id} cannot be read: ${plainLine(reason)}`);
  if (json === true) await terminal.print(`${shownJson(report)}\n`);
  else await terminal.print(`${reportLines(report, Date.now(), terminal.columns).join('\n')}\n`);
  return exits.ok;
};

/** Further rows are summed up in one. */
const rowsMax = 100;

export function reportLines(report: UsageReport, now: number, width = Number.POSITIVE_INFINITY): string[] {
  const { by, rows, total } = report;
  if (rows.length === 0) return ['No usage yet.', ...notesOf(report), ...accountLines(report, now)];
  const shown = rows.slice(0, rowsMax).map((row) => cellsOf(nameOf(row.name, by), row.usage));
  const table = [headingOf(by), ...shown];
  if (rows.length > rowsMax) table.push([`… and ${rows.length - rowsMax} more: --json`]);
  table.push(cellsOf('total', total));
  const timed = total.timeMs !== null;
  const cells = table.map((row) => row.filter((_, at) => timed || at !== timeAt));
  return [
    ...tableLines(cells, { columns: width }),
    ...[...notesOf(report), ...accountLines(report, now)].flatMap((line) => wrapLine(line, width, 2)),
  ];
}

const columns = ['INPUT', 'OUTPUT', 'CACHE READ', 'CACHE WRITE', 'TURNS', 'TIME', 'COST'] as const;
const timeAt = 1 + columns.indexOf('TIME');

const headingOf = (by: UsageKind): string[] => [by.toUpperCase(), ...columns];

function nameOf(name: string | null, by: UsageKind): string {
  if (name !== null) return plainLine(name);
  return by === 'role' ? '(no role)' : '(unknown)';
}

function cellsOf(name: string, used: SummedUsage): string[] {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, turns, timeMs } = used;
  const tokens = [inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens].map(count);
  return [name, ...tokens, String(turns), timeMs === null ? '' : elapsed(timeMs), shortCost(used)];
}

function notesOf({ total, leftOut }: UsageReport): string[] {
  const notes = [];
  if (total.estimatedMicroUsd > 0) notes.push('~ is an estimate from model prices: the agent reported no cost.');
  if (total.costMicroUsd === null) notes.push('? is an unknown cost; > means at least this much.');
  if (leftOut > 0) {
    const older = leftOut === 1 ? '1 earlier run is' : `${leftOut} earlier runs are`;
    notes.push(`${older} left out: name a run to see it, or use --by day to count all.`);
  }
  return notes;
}

function accountLines({ accounts, closed }: UsageReport, now: number): string[] {
  return [
    ...accounts.map(({ account, of, used, resetsAt, toldAt }) => {
      const share = used === null ? 'usage unknown' : `${Math.round(used * 100)}% used`;
      const reset = resetsAt === null ? '' : `, resets at ${localTime(resetsAt, now)}`;
      const limit = of === 'account' ? '' : `${of} `;
      return plainLine(`account ${account}: ${limit}${share}${reset} (reported ${elapsed(now - toldAt)} ago)`);
    }),
    ...closed.map((each) => plainLine(closedWords(each, now))),
  ];
}
