// Where each line of a batch ends, in bytes: known from the side of the batch on which nothing is wrong with the lines.

import type { LineBatch } from '../../ports/launch-port.ts';

/** `start`: where the batch begins. Of a line between two that are not what was written nobody can say: then it is where it begins. */
export function lineEnds({ lines, end, flaws = [] }: LineBatch, start: number): (index: number) => number {
  const [first, last] = [flaws[0]?.index ?? lines.length, flaws.at(-1)?.index ?? -1];
  const sizeOf = (from: number, to: number): number =>
    lines.slice(from, to).reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
  return (index) => {
    if (index >= last) return end - sizeOf(index + 1, lines.length);
    return index < first ? start + sizeOf(0, index + 1) : start;
  };
}
