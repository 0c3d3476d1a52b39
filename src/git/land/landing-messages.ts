// The messages and times of the commits of a landing, from the order and from the trailers of the run's branch.

import type { CoAuthorStyle } from '../../ports/land-port.ts';
import { attemptKey } from '../integrate/integration-commit.ts';
import { messageOf } from './commit-message.ts';
import type { LandedCommit } from './landing-commits.ts';
import type { Making } from './landing-order.ts';
import { attemptOf, type Integration, valueOf } from './landing-steps.ts';

/** Of the last attempt: if it continued earlier work, its words are about the whole. A person's own words come first. */
export function taskMessage(trial: Making, integrations: readonly Integration[]): string {
  const { history, words } = trial.order;
  const last = integrations.at(-1);
  const attemptId = last === undefined ? '' : attemptOf(last);
  const { said = '', asked = '' } = words[attemptId] ?? {};
  const own = integrations.flatMap((each) => each.own.filter(({ isSaved }) => !isSaved).map(({ message }) => message));
  const written = history.messages?.[attemptId];
  if (written !== undefined) return withLines(written, []);
  return withLines(messageOf({ own, said, asked, title: last?.subject ?? '' }), trailersOf(trial, integrations));
}

/** Short: everything else is in the note. */
function trailersOf({ order: { history }, options }: Making, integrations: readonly Integration[]): string[] {
  const attempts = integrations.map(attemptOf).filter((id) => id !== '');
  const agents = integrations.flatMap(({ trailers }) => {
    const harness = valueOf(trailers, 'Signalbox-Harness');
    return harness === ''
      ? []
      : creditOf(history.coAuthor, harness, valueOf(trailers, 'Signalbox-Model'), options.coAuthor);
  });
  return [...attempts.slice(-attemptsMax).map((id) => `${attemptKey}: ${id}`), ...new Set(agents)];
}

const attemptsMax = 3;

function creditOf(
  style: CoAuthorStyle,
  harness: string,
  model: string,
  coAuthor: Making['options']['coAuthor'],
): string[] {
  switch (style) {
    case 'none':
      return [];
    case 'assisted-by':
      return [`Assisted-by: ${harness}${model === '' || model === 'unknown' ? '' : `:${model.replaceAll(', ', '+')}`}`];
    case 'co-authored-by': {
      const { name, email } = coAuthor?.(harness) ?? { name: harness, email: `${harness}@signalbox.invalid` };
      return [`Co-authored-by: ${name} <${email}>`];
    }
  }
}

/** After an empty line, unless the text ends with trailers of its own. */
export function withLines(text: string, lines: readonly string[]): string {
  const body = text.replaceAll('\0', ' ').trimEnd();
  const missing = lines.filter((line) => !body.split('\n').includes(line));
  if (missing.length === 0) return `${body}\n`;
  const last =
    body
      .split(/\n{2,}/)
      .slice(1)
      .at(-1) ?? '';
  const hasTrailers = last !== '' && last.split('\n').every((line) => /^[A-Za-z0-9-]+: \S/.test(line));
  return `${body}${hasTrailers ? '\n' : '\n\n'}${missing.join('\n')}\n`;
}

export function mergeMessage({ order }: Making, commits: readonly LandedCommit[]): string {
  const subjects = commits.map(({ message }) => message.split('\n', 1)[0] ?? '');
  const name = order.name.replaceAll(/[\0\s]+/g, ' ').trim() || 'work';
  const { messages } = order.history;
  return withLines(messages?.['merge'] ?? `Merge ${name}\n\n${subjects.map((each) => `- ${each}`).join('\n')}\n`, []);
}

/** Seconds since the epoch. */
export function workedAt({ order: { words } }: Making, integration: Integration): number {
  const { at } = words[attemptOf(integration)] ?? {};
  return at === undefined ? integration.at : Math.floor(at / 1_000);
}
