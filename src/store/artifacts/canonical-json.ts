// Canonical JSON: keys sorted by code unit, no spaces, numbers and strings as JSON.stringify writes them. Equal values
// have equal bytes, so a hash of them can be a name.

import type { Json } from '../../model/core/json.ts';

type Piece = { readonly text: string } | { readonly value: Json };

/** Without recursion: a value may be nested deeper than a stack is. */
export function canonicalJson(value: Json): string {
  const parts: string[] = [];
  const rest: Piece[] = [{ value }];
  for (let piece = rest.pop(); piece !== undefined; piece = rest.pop()) {
    if ('text' in piece) parts.push(piece.text);
    else if (piece.value === null || typeof piece.value !== 'object') parts.push(JSON.stringify(piece.value));
    else for (const inner of inside(piece.value).reverse()) rest.push(inner);
  }
  return parts.join('');
}

function inside(value: readonly Json[] | { readonly [key: string]: Json }): Piece[] {
  if (Array.isArray(value)) {
    const items = (value as readonly Json[]).flatMap((item, i) => [{ text: i === 0 ? '' : ',' }, { value: item }]);
    return [{ text: '[' }, ...items, { text: ']' }];
  }
  const entries = Object.entries(value as { readonly [key: string]: Json }).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const members = entries.flatMap(([key, member], i) => [
    { text: `${i === 0 ? '' : ','}${JSON.stringify(key)}:` },
    { value: member },
  ]);
  return [{ text: '{' }, ...members, { text: '}' }];
}
