// A team in words: a line for each member and each item of its list. Whatever agents wrote is harmless here. Pure.

import type { TeamView } from '../../wire/team-views.ts';
import { plainLine } from './plain-text.ts';
import { tableLines } from './table.ts';
import { cutToWidth } from './text-width.ts';
import { waitWords } from './wait-text.ts';

const nameShown = 24;
const wordsShown = 60;

export function teamLines({ name, purpose, lead, over, forced, members, items }: TeamView): string[] {
  const state = over ? ', over' : forced ? ', being ended' : '';
  const what = purpose === '' ? '' : `: ${cut(purpose, wordsShown)}`;
  return [
    `team ${cut(name, nameShown)}, led by ${cut(lead, nameShown)}${state}${what}`,
    ...(members.length === 0
      ? ['  nobody has joined']
      : indented([['MEMBER', 'STATE', 'HOLDS', ''], ...members.map(memberRow)])),
    ...(items.length === 0
      ? ['  nothing is on its list']
      : indented([['ITEM', 'STATE', 'BY', 'TITLE', 'RESULT'], ...items.map(itemRow)])),
  ];
}

/** Whether somebody has written more than the lines show. */
export function hasMore(team: TeamView): boolean {
  return team.items.some(({ text }) => text !== '') || teamLines(team).some((line) => line.includes('…'));
}

function memberRow({ task, state, holds, ...more }: TeamView['members'][number]): string[] {
  return [cut(task, nameShown), state, holds.join(', ') || '-', cut(memberWords(more), wordsShown)];
}

/** What it is at, the newest first. */
function memberWords({
  leaves,
  refused,
  askedAt,
  progress,
  wait,
}: Pick<TeamView['members'][number], 'leaves' | 'refused' | 'askedAt' | 'progress' | 'wait'>): string {
  const end =
    leaves === 'agreed'
      ? 'ends with its turn'
      : leaves === 'dismissed'
        ? 'let go: there was no more to do'
        : refused
          ? 'refused to end'
          : askedAt === null
            ? null
            : 'was asked to end';
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
  return tableLines(rows, rows[0]?.length).map((line) => `  ${line}`);
}

function cut(text: string, width: number): string {
  return cutToWidth(plainLine(text), width);
}
