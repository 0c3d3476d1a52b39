// A landing as text: a line for each of its events, and its outcome: where the work is now, and the next command. Pure.

import { plainLine } from '../../std/plain-text.ts';
import { shellQuote } from '../../std/shell-quote.ts';
import type { RunEvent } from '../../wire/event-names.ts';
import type { LandingView } from '../../wire/landing-views.ts';
import type { RunView } from '../../wire/views.ts';
import { exits } from '../client/context.ts';

type Run = Pick<RunView, 'id' | 'name' | 'repo'>;

/** The first line says what happened; the others what to do. */
export function landingText(run: Run, landing: LandingView): string[] {
  const { outcome, into, trouble } = landing;
  const where = run.repo.path;
  switch (outcome?.kind) {
    case undefined:
      return [plainLine(`landing ${into === null ? 'on a branch of its own' : `in ${into}`}${troubleWords(trouble)}`)];
    case 'landed': {
      const { branch, from, commit, checkedOut } = outcome;
      if (from === commit) return [plainLine(`branch ${branch} of ${where} already contains this work`)];
      const files = checkedOut ? '; your checkout was updated' : '; your checkout was not touched';
      return [
        plainLine(`landed: branch ${branch} of ${where} moved from ${short(from)} to ${short(commit)}${files}`),
        ...checkLines(outcome.items),
        ...outcome.notes.map(plainLine),
      ];
    }
    case 'aside':
      return asideWords(run, landing, outcome);
    case 'conflict': {
      const { branch, paths, commit } = outcome;
      return [
        plainLine(`conflict with branch ${branch} of ${where} at ${short(commit)} in ${paths.join(', ')}`),
        `nothing was moved; to merge by hand: signalbox take ${run.id}, then merge it into ${plainLine(shellQuote(branch))}`,
      ];
    }
    case 'failed':
      return [
        plainLine(`not landed: a check fails once merged with branch ${outcome.branch} of ${where}`),
        ...checkLines(outcome.items),
      ];
    case 'refused':
      return [plainLine(`not landed: ${outcome.why}`)];
    case 'stopped':
      return ['the landing was stopped before anything was moved'];
  }
}

interface Overlap {
  readonly runId: string;
  readonly name: string;
  readonly paths: readonly string[];
  readonly pathsTotal: number;
}

/** A line for each other run that changes the same lines. */
export function overlapLines(overlaps: readonly Overlap[]): string[] {
  return overlaps.map(({ name, runId, paths, pathsTotal }) => {
    const more = pathsTotal > paths.length ? ` and ${pathsTotal - paths.length} more` : '';
    return plainLine(
      `run ${name} (${runId}) changes the same lines, in ${paths.join(', ')}${more}: whichever lands second conflicts`,
    );
  });
}

function asideWords(run: Run, { into, openPr }: LandingView, { branch, commit, why }: Aside): string[] {
  const is = plainLine(`branch ${branch} of ${run.repo.path} is at ${short(commit)}`);
  if (into === null) {
    return [`${is}; your checkout was not touched`, `merge it: git merge ${plainLine(shellQuote(branch))}`];
  }
  if (openPr) return [`${is}, merged with ${plainLine(into)} and checked`];
  const own = plainLine(shellQuote(branch));
  return [
    plainLine(`not landed yet: ${why}; the merged and checked work is on branch ${branch}, at ${short(commit)}`),
    `finish it: git merge --ff-only ${own} && git branch -d ${own}`,
    `or, when the checkout is clean: signalbox land ${run.id} --into ${plainLine(shellQuote(into))}`,
  ];
}

type Aside = Extract<NonNullable<LandingView['outcome']>, { kind: 'aside' }>;

function checkLines(items: readonly { check: string; passed: boolean; detail: string }[]): string[] {
  if (items.length === 0) return ['  no check ran on it: the run has none'];
  return items.map(({ check, passed, detail }) => {
    return plainLine(`  check ${check} ${passed ? 'passed' : 'failed'} on exactly this tree: ${detail}`);
  });
}

function troubleWords(trouble: string | null): string {
  return trouble === null ? '' : `; cannot land yet: ${trouble}`;
}

/** 3: a person has to do the rest. */
export function exitForLanding({ outcome, asAsked }: LandingView): number {
  if (asAsked) return exits.ok;
  return outcome?.kind === 'aside' || outcome?.kind === 'refused' ? exits.person : exits.failed;
}

function short(commit: string): string {
  return commit.slice(0, 7);
}

type LandingEvent = Extract<RunEvent, { type: `landing.${string}` }>;

export function isLanding(event: RunEvent): event is LandingEvent {
  return event.type.startsWith('landing.');
}

export function landingProgress(event: LandingEvent): string {
  switch (event.type) {
    case 'landing.asked':
      return event.into === null
        ? 'landing on a branch of its own'
        : `landing in ${event.into}: merge, run checks, move the branch`;
    case 'landing.sentBack':
      return `conflict with ${event.branch} in ${event.paths.slice(0, pathsShown).join(', ')}: back to its author`;
    case 'landing.moved':
      return `the branch was moved to ${event.to.slice(0, 7)} meanwhile: merging and checking again`;
    case 'landing.tryFailed':
      return `cannot land yet: ${event.message}`;
    case 'landing.ended':
      return `landing: ${eventOutcomes[event.outcome.kind]}`;
  }
}

const pathsShown = 5;

const eventOutcomes: Readonly<Record<string, string>> = {
  landed: 'landed',
  aside: 'the work is on a branch of its own',
  conflict: 'conflict',
  failed: 'a check failed on the merged tree',
  refused: 'refused',
  stopped: 'stopped',
};
