// The exact arguments of a tool call for which an agent asks permission, whole and unambiguous: a person decides on exactly this.
// What a terminal would hide stands below them. Pure.

import { exactText, hiddenCharacters, shownJson } from '../../std/plain-text.ts';
import type { AskView } from '../../wire/ask-views.ts';
import { count } from './figures.ts';

type Permission = NonNullable<AskView['permission']>;

export function argumentLines({ tool, input }: Permission): string[] {
  const given = typeof input === 'object' && input !== null ? Object.entries(input) : [['', input] as const];
  return [
    `wants to use ${oneLine(tool)}`,
    ...given.flatMap(([name, value]) => {
      const text = typeof value === 'string' ? value : shownJson(value);
      const [first = '', ...rest] = exactText(text).split('\n');
      return [`  ${oneLine(name)}: ${first}`, ...rest.map((line) => `    ${line}`)];
    }),
    ...warnings({ tool, input }),
  ];
}

/** What is easily missed when the arguments are read on a terminal. */
export function warnings({ tool, input }: Permission): string[] {
  const texts = [tool, ...textsIn(input)];
  const hidden = [...hiddenCharacters(texts.join(''))].slice(0, namedMax).map(([character, times]) => {
    const name = names[character.slice(3, -1)];
    return `${character}${name === undefined ? '' : ` ${name}`}${times > 1 ? `, ${times} times` : ''}`;
  });
  const blanks = Math.max(0, ...texts.map(longestBlank));
  const length = texts.reduce((all, text) => all + text.length, 0) - tool.length;
  return [
    ...(hidden.length === 0
      ? []
      : [`! it holds characters that a terminal obeys or does not show: ${hidden.join('; ')}`]),
    ...(blanks < blankMin ? [] : [`! more text follows after ${count(blanks)} blanks in a row`]),
    ...(length < longMin ? [] : [`! it is long: ${count(length)} characters, all shown above`]),
  ];
}

const namedMax = 12;
const blankMin = 80;
const longMin = 2_000;

function longestBlank(text: string): number {
  let longest = 0;
  for (const [blank] of text.trimEnd().matchAll(/\s{20,}/g)) longest = Math.max(longest, blank.length);
  return longest;
}

/** All texts of a value, names included. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [name, ...textsIn(inner)]);
}

function oneLine(text: string): string {
  return exactText(text).replaceAll('\n', '<U+000A>');
}

const names: Readonly<Record<string, string>> = {
  '0000': 'null',
  '0007': 'bell',
  '0008': 'backspace',
  '000D': 'carriage return',
  '001B': 'escape',
  '007F': 'delete',
  '009B': 'control sequence',
  '00A0': 'no-break space',
  '00AD': 'soft hyphen',
  '200B': 'zero-width space',
  '200D': 'zero-width joiner',
  '200E': 'left-to-right mark',
  '200F': 'right-to-left mark',
  '202A': 'left-to-right embedding',
  '202B': 'right-to-left embedding',
  '202D': 'left-to-right override',
  '202E': 'right-to-left override',
  '2066': 'left-to-right isolate',
  '2067': 'right-to-left isolate',
  '2068': 'first strong isolate',
  FEFF: 'byte order mark',
};
