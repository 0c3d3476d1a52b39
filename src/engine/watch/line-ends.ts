// Offsets of lines in a launch's output.

import type { LineBatch } from '../../ports/launch-port.ts';

/**
 * Where each line of a batch ends, in bytes. `start`: where the batch begins. Lines that differ from what the agent wrote have
 * an unknown length; a line between two of them counts as ending at `start`, so it is read again.
 */
export function lineEnds({ lines, end, flaws = [] }: LineBatch, start: number): (index: number) => number {
  const [first, last] = [flaws[0]?.index ?? lines.length, flaws.at(-1)?.index ?? -1];
  const sizeOf = (from: number, to: number): number =>
    lines.slice(from, to).reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
  return (index) => {
    if (index >= last) return end - sizeOf(index + 1, lines.length);
    return index < first ? start + sizeOf(0, index + 1) : start;
  };
}
