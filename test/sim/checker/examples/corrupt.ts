// Ways to spoil a history in one place, for the tests of the checker.

import type { EventDraft, Step } from './example.ts';

export type Spoil = (steps: Step[]) => void;

/** What is done to the history, the invariant it breaks, and the words of the report. */
export type Spoilt = [name: string, invariant: number, told: RegExp, spoil: Spoil];

/** The first event or entry of that name whose text contains `part`. */
export function find(steps: readonly Step[], name: string, part: string): { step: number; at: number } {
  for (const [step, each] of steps.entries()) {
    if ('world' in each) {
      if (each.world.kind === name && JSON.stringify(each.world).includes(part)) return { step, at: -1 };
      continue;
    }
    const at = each.commit.findIndex(({ type, data }) => type === name && JSON.stringify(data).includes(part));
    if (at >= 0) return { step, at };
  }
  throw new Error(`the example has no ${name} with ${part}`);
}

export function drop(steps: Step[], name: string, part: string): void {
  const { step, at } = find(steps, name, part);
  const found = steps[step];
  if (found !== undefined && 'commit' in found) found.commit.splice(at, 1);
  else steps.splice(step, 1);
}

export function repeat(steps: Step[], name: string, part: string): void {
  const { step, at } = find(steps, name, part);
  const found = steps[step];
  if (found === undefined) return;
  if ('commit' in found) found.commit.splice(at, 0, structuredClone(found.commit[at] as EventDraft));
  else steps.splice(step, 0, structuredClone(found));
}

type Fields = Record<string, unknown>;

export function edit(steps: Step[], name: string, part: string, change: (draft: Fields) => void): void {
  const { step, at } = find(steps, name, part);
  const found = steps[step];
  if (found === undefined) return;
  change(('commit' in found ? found.commit[at] : found.world) as unknown as Fields);
}

export function patch(steps: Step[], name: string, part: string, fields: Record<string, unknown>): void {
  edit(steps, name, part, (draft) => Object.assign(draft['data'] ?? draft, fields));
}

export function rename(steps: Step[], name: string, to: string, part = ''): void {
  edit(steps, name, part, (draft) => Object.assign(draft, { type: to }));
}

/** In the first that contains `from`; what agents print and read is text inside the text. */
export function replaceText(steps: Step[], name: string, from: string, to: string): void {
  const inner = name === 'printed' || name === 'received';
  const [part, other] = inner ? [from.replaceAll('"', '\\"'), to.replaceAll('"', '\\"')] : [from, to];
  edit(steps, name, part, (draft) => Object.assign(draft, JSON.parse(JSON.stringify(draft).replace(part, other))));
}

export function after(steps: Step[], [name, part]: [string, string], step: Step): void {
  steps.splice(find(steps, name, part).step + 1, 0, step);
}

/** Puts the step (or, of a commit, the one event) before the step of the other. */
export function move(steps: Step[], [name, part]: [string, string], [before, other = '']: [string, string?]): void {
  const from = find(steps, name, part);
  const to = find(steps, before, other);
  const found = steps[from.step] as Step;
  if ('commit' in found) {
    const [moved] = found.commit.splice(from.at, 1);
    steps.splice(to.step, 0, { commit: [moved as EventDraft] });
  } else {
    steps.splice(from.step, 1);
    steps.splice(to.step, 0, found);
  }
}
