// The spec of one task of a matrix: the matrix's own, for one item.

import { cutTo } from '../../std/characters.ts';
import { flawOfGlob } from '../../std/path-glob.ts';
import type { TaskId } from '../core/ids.ts';
import type { Json } from '../core/json.ts';
import type { TaskSpec } from '../core/spec.ts';
import { type Condition, refersTo } from '../inputs/condition.ts';
import { type Text, within } from '../inputs/reference.ts';

export function memberSpec(matrix: TaskSpec, id: TaskId, name: string, item: Json): TaskSpec {
  const { itemPaths, ...same } = matrix;
  return {
    ...same,
    ...(itemPaths === undefined ? {} : memberPaths(itemPaths, item)),
    id,
    name,
    kind: 'work',
    parent: matrix.id,
    items: null,
    item,
    treeBudget: null,
    // The matrix waited for them, so they have ended.
    tolerates: matrix.needs,
    when: ownCondition(matrix) === null ? matrix.when : null,
  };
}

/** A condition on items is decided for each task of the matrix, not for the matrix itself. */
export function ownCondition({ kind, when }: TaskSpec): Condition | null {
  return kind === 'matrix' && when !== null && refersTo(when, 'matrix') ? null : when;
}

type ItemPaths = NonNullable<TaskSpec['itemPaths']>;
type MemberPaths = Pick<TaskSpec, 'writes' | 'reads' | 'impossible'>;

/** A task whose paths cannot be made from its item is not started. */
function memberPaths({ writes, reads }: ItemPaths, item: Json): MemberPaths {
  const flaws: string[] = [];
  const resolve = (texts: readonly Text[], word: string): string[] =>
    texts.flatMap((text) => {
      const made = pathForItem(text, item);
      if ('path' in made) return [made.path];
      flaws.push(`"${word}" is not a path with its item: ${made.flaw}`);
      return [];
    });
  const paths = { writes: writes === null ? null : resolve(writes, 'writes'), reads: resolve(reads, 'reads') };
  const [impossible] = flaws;
  return impossible === undefined ? paths : { writes: [], reads: [], impossible };
}

const pathMax = 1_000;

/** The glob with the item's values inserted; or why it is invalid. */
export function pathForItem(text: Text, item: Json): { readonly path: string } | { readonly flaw: string } {
  let path = '';
  for (const part of typeof text === 'string' ? [text] : text) {
    const value = typeof part === 'string' ? part : within(item, part.ref.slice(1));
    const name = typeof part === 'string' ? '' : part.ref.join('.');
    if (typeof value !== 'string' && typeof value !== 'number') return { flaw: `${name} is not a text or a number` };
    if (value === '') return { flaw: `${name} is empty` };
    path += value;
  }
  if (path.length > pathMax) return { flaw: `"${cutTo(path, 100)}…" has more than ${pathMax} characters` };
  const flaw = flawOfGlob(path);
  return flaw === null ? { path } : { flaw };
}
