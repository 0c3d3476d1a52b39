import { describe, expect, it } from 'vitest';
import type { LandingView } from '../../wire/landing-views.ts';
import { exitForLanding, landingText } from './landing-text.ts';

const run = { id: 'run_1', name: 'r', repo: { path: '/repo', base: 'b', branch: null } };
const landing: LandingView = {
  n: 1,
  into: 'main',
  openPr: false,
  by: 'ann',
  askedAt: 0,
  moves: 0,
  trouble: null,
  outcome: null,
  asAsked: false,
};
const told = (outcome: LandingView['outcome'], more: Partial<LandingView> = {}): string =>
  landingText(run, { ...landing, outcome, ...more }).join('\n');
const landed = { kind: 'landed' as const, branch: 'main', commit: 'c'.repeat(40), from: 'f'.repeat(40), items: [] };

describe('the words of a landing', () => {
  it('say where the work is, and what no check looked at [LAND-19]', () => {
    expect(told({ ...landed, checkedOut: true, count: 1, notes: [] })).toMatch(
      /moved from fffffff to ccccccc; your checkout was updated\n {2}no check ran/,
    );
    expect(told({ ...landed, from: landed.commit, checkedOut: false, count: 1, notes: [] })).toBe(
      'branch main of /repo already contains this work',
    );
    expect(told(null, { trouble: 'no space left' })).toBe('landing in main; cannot land yet: no space left');
  });

  it('show the remaining command, quoted for a shell and with visible control characters [LAND-27]', () => {
    const aside = { kind: 'aside', branch: "it's\u001b[2J", commit: 'c', why: 'main is checked out in /x' } as const;
    expect(told(aside)).toContain("finish it: git merge --ff-only 'it'\\''s<U+001B>[2J'");
    expect(told(aside)).toMatch(/^not landed yet: main is checked out in \/x;/);
    expect(told(aside)).not.toContain('\u001b');
    expect(told(aside, { into: null })).toContain('merge it: git merge ');
  });

  it('end with the exit code that says whether a person has to act [LAND-19]', () => {
    const code = (outcome: LandingView['outcome'], asAsked = false): number =>
      exitForLanding({ ...landing, outcome, asAsked });
    expect(code({ ...landed, checkedOut: false, count: 1, notes: [] }, true)).toBe(0);
    expect(code({ kind: 'conflict', branch: 'main', paths: ['a'], commit: 'c' })).toBe(1);
    expect(code({ kind: 'failed', branch: 'main', items: [] })).toBe(1);
    expect(code({ kind: 'aside', branch: 'b', commit: 'c', why: '' })).toBe(3);
    expect(code({ kind: 'refused', why: '' })).toBe(3);
    expect(code({ kind: 'stopped' })).toBe(1);
  });
});
