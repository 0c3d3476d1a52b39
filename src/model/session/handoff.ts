// What one session of an agent hands over to the next: typed, bounded, and merged with all earlier handoffs. Pure.

import type { Json } from '../core/json.ts';
import type { GivenHandoff } from './memory.ts';

export interface Handoff {
  readonly found: readonly string[];
  readonly decided: readonly string[];
  readonly changed: readonly string[];
  readonly remaining: readonly string[];
  readonly commands: readonly string[];
  readonly tried: readonly string[];
  /** The artifact has more. */
  readonly cut?: true;
}

/** How many new sessions one attempt may begin by handing over. */
export const renewalsMax = 20;

/** Characters of earlier handoffs that a session is given. */
export const handoffMax = 8_000;

const lineMax = 400;
const parts = ['remaining', 'decided', 'found', 'tried', 'commands', 'changed'] as const;
type Part = (typeof parts)[number];

/** The form kept in the journal; longer parts stay whole in the artifact. The value fits the schema of its kind. */
export function handoffOf(value: Json): Handoff {
  const given = value as Partial<Record<Part, readonly string[]>>;
  const lines = byPart((part) => (given[part] ?? []).map(oneLine));
  const [kept = lines] = shared([lines], handoffMax);
  const same = parts.every((part) => kept[part].join('\n') === (given[part] ?? []).join('\n'));
  return same ? kept : { ...kept, cut: true };
}

/** Nothing is left to do: the agent has ended its work, not only its session. */
export function isComplete({ remaining }: Handoff): boolean {
  return remaining.length === 0;
}

const headings: Readonly<Record<Part, string>> = {
  remaining: 'Still to be done',
  decided: 'Decided',
  found: 'Found out',
  tried: 'Tried, and came to nothing',
  commands: 'Commands worth running again',
  changed: 'Changed',
};

/** The newest first. The list of remaining work is the newest's alone; no line appears twice. */
export function handoffWords(given: readonly GivenHandoff[], max = handoffMax): string {
  const newestFirst = given.toReversed();
  const united = unite(newestFirst.map(({ handoff }) => handoff));
  const whole = newestFirst.flatMap(({ artifactId }) => artifactId ?? []);
  const note = `[cut: the whole is in ${whole.slice(0, idsShown).join(', ')}]`;
  const kept = shared(united, max - frameMax - note.length);
  const sections = parts.flatMap((part) => {
    const lines = kept.flatMap((each) => each[part] ?? []);
    return lines.length === 0 ? [] : [`### ${headings[part]}\n\n${lines.map((line) => `- ${line}`).join('\n')}`];
  });
  const isCut = count(kept) < count(united) || newestFirst.some(({ handoff }) => handoff.cut);
  return [...sections, ...(isCut && whole.length > 0 ? [note] : [])].join('\n\n');
}

const idsShown = 21;
/** Characters of headings and separators. */
const frameMax = 300;

type Lines = Record<Part, string[]>;

/** The lines of each generation that no newer one has. */
function unite(newestFirst: readonly Handoff[]): Lines[] {
  const said = new Set<string>();
  return newestFirst.map((handoff, age) =>
    byPart((part) => {
      if (part === 'remaining') return age === 0 ? [...handoff.remaining] : [];
      return handoff[part].filter((line) => {
        const known = `${part} ${line}`;
        return !said.has(known) && said.add(known);
      });
    }),
  );
}

/**
 * As many lines as fit, in rounds: the first line of every part of every generation, then the second, so that a long handoff
 * leaves room for the oldest findings.
 */
function shared(generations: readonly Lines[], max: number): Lines[] {
  const kept = generations.map(() => byPart(() => []));
  const rounds = Math.max(0, ...generations.flatMap((each) => parts.map((part) => each[part].length)));
  let left = max;
  for (let round = 0; round < rounds && left > markMax; round++) {
    for (const part of parts) {
      generations.forEach((generation, i) => {
        const line = generation[part][round];
        if (line === undefined || line.length + markMax > left) return;
        kept[i]?.[part].push(line);
        left -= line.length + markMax;
      });
    }
  }
  return kept;
}

/** Characters before and after a line. */
const markMax = 3;

function byPart(lines: (part: Part) => string[]): Lines {
  return Object.fromEntries(parts.map((part) => [part, lines(part)])) as Lines;
}

function count(generations: readonly Lines[]): number {
  return generations.reduce((sum, each) => sum + parts.reduce((n, part) => n + each[part].length, 0), 0);
}

function oneLine(text: string): string {
  const line = text.trim().replaceAll(/\s*\n\s*/g, ' ');
  return line.length > lineMax ? `${line.slice(0, lineMax)} …` : line;
}
