// A team as text: one line per member and per item of its task list. Strips control characters. Pure.

import { plainLine } from '../../std/plain-text.ts';
import type { TeamView } from '../../wire/team-views.ts';
import { tableLines } from './table.ts';
import { cutToWidth } from './text-width.ts';
import { waitWords } from './wait-text.ts';

const nameShown = 24;
const wordsShown = 60;

export function teamLines({ name, purpose, lead, over, forced, members, items }: TeamView): string[] {
  const state = over ? ', ended' : forced ? ', shutting down' : '';
  const what = purpose === '' ? '' : `: ${cut(purpose, wordsShown)}`;
  return [
    `team ${cut(name, nameShown)}, led by ${cut(lead, nameShown)}${state}${what}`,
    ...(members.length === 0
      ? ['  no members']
      : indented([['MEMBER', 'STATE', 'HOLDS', 'DOING'], ...members.map(memberRow)])),
    ...(items.length === 0
      ? ['  the task list is empty']
      : indented([['ITEM', 'STATE', 'BY', 'TITLE', 'RESULT'], ...items.map(itemRow)])),
  ];
}

/** Whether the lines leave out or cut any text. */
export function hasMore(team: TeamView): boolean {
  return team.items.some(({ text }) => text !== '') || teamLines(team).some((line) => line.includes('…'));
}

function memberRow({ task, state, holds, ...more }: TeamView['members'][number]): string[] {
  return [cut(task, nameShown), state, holds.join(', ') || '-', cut(memberWords(more), wordsShown)];
}

/** What it is doing, the newest first. */
function memberWords({
  leaves,
  refused,
  askedAt,
  progress,
  wait,
}: Pick<TeamView['members'][number], 'leaves' | 'refused' | 'askedAt' | 'progress' | 'wait'>): string {
  const end =
    leaves === 'agreed'
      ? 'ends after this turn'
      : leaves === 'dismissed'
        ? 'dismissed: no work left'
        : refused
          ? 'refused to shut down'
          : askedAt === null
            ? null
            : 'asked to shut down';
  return [end, progress, wait === null ? null : `waits for ${waitWords(wait)}`]
    .filter((words) => words !== null)
    .join('; ');
}

function itemRow({ n, title, state, needs, by, result }: TeamView['items'][number]): string[] {
  const words = needs.length === 0 ? state : `${state} for ${needs.slice(0, needsShown).join(', ')}`;
  return [String(n), words, by === null ? '-' : cut(by, nameShown), cut(title, wordsShown), cut(result, wordsShown)];
}

const needsShown = 5;

function indented(rows: readonly (readonly string[])[]): string[] {
  return tableLines(rows, { left: rows[0]?.length ?? 1 }).map((line) => `  ${line}`);
}

function cut(text: string, width: number): string {
  return cutToWidth(plainLine(text), width);
}
