// What became of a landing, in words: where the work is now, and the one command that is left to do. Pure.

import type { LandingView } from '../../wire/landing-views.ts';
import type { RunView } from '../../wire/views.ts';
import { exits } from '../client/context.ts';
import { plainLine } from './plain-text.ts';
import { quoted } from './reopen-session.ts';

type Run = Pick<RunView, 'id' | 'name' | 'repo'>;

/** The first line says what happened; the others what to do. */
export function landingText(run: Run, landing: LandingView): string[] {
  const { outcome, into, trouble } = landing;
  const where = run.repo.path;
  switch (outcome?.kind) {
    case undefined:
      return [
        plainLine(`it goes ${into === null ? 'to a branch of its own' : `into ${into}`}${troubleWords(trouble)}`),
      ];
    case 'landed': {
      const { branch, from, commit, checkedOut } = outcome;
      if (from === commit) return [plainLine(`branch ${branch} of ${where} has it already`)];
      const files = checkedOut ? '; the files of your checkout moved with it' : '; your checkout was not touched';
      return [
        plainLine(`landed: branch ${branch} of ${where} went from ${short(from)} to ${short(commit)}${files}`),
        ...checkLines(outcome.items),
      ];
    }
    case 'aside':
      return asideWords(run, landing, outcome);
    case 'conflict': {
      const { branch, paths, commit } = outcome;
      return [
        plainLine(`it does not fit branch ${branch} of ${where} at ${short(commit)}, in ${paths.join(', ')}`),
        `nothing was moved; by hand: signalbox take ${run.id}, then merge it into ${plainLine(quoted(branch))}`,
      ];
    }
    case 'failed':
      return [plainLine(`merged with branch ${outcome.branch} of ${where} it fails`), ...checkLines(outcome.items)];
    case 'refused':
      return [plainLine(`it was not landed: ${outcome.why}`)];
    case 'stopped':
      return ['its landing was stopped before anything was moved'];
  }
}

function asideWords(run: Run, { into, openPr }: LandingView, { branch, commit, why }: Aside): string[] {
  const is = plainLine(`branch ${branch} of ${run.repo.path} is at ${short(commit)}`);
  if (into === null) {
    return [`${is}; your checkout was not touched`, `take it in: git merge ${plainLine(quoted(branch))}`];
  }
  if (openPr) return [`${is}, merged with ${plainLine(into)} and tested`];
  return [
    plainLine(`${why}: the work is beside it, merged and tested`),
    is,
    `take it in: git merge --ff-only ${plainLine(quoted(branch))}`,
    `or, from a clean checkout: signalbox land ${run.id} --into ${plainLine(quoted(into))} --checkout`,
  ];
}

type Aside = Extract<NonNullable<LandingView['outcome']>, { kind: 'aside' }>;

function checkLines(items: readonly { check: string; passed: boolean; detail: string }[]): string[] {
  if (items.length === 0) return ['  no check was run on it: the run has none'];
  return items.map(({ check, passed, detail }) => {
    return plainLine(`  check ${check} ${passed ? 'passed' : 'failed'} on exactly this tree: ${detail}`);
  });
}

function troubleWords(trouble: string | null): string {
  return trouble === null ? '' : `, and cannot yet: ${trouble}`;
}

/** 3: what is left to do is a person's. */
export function exitForLanding({ outcome, asAsked }: LandingView): number {
  if (asAsked) return exits.ok;
  return outcome?.kind === 'aside' || outcome?.kind === 'refused' ? exits.person : exits.failed;
}

function short(commit: string): string {
  return commit.slice(0, 7);
}
