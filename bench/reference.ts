// A fixed piece of plain JavaScript (maps, strings, small objects, JSON), as a measure of the machine at this moment: figures in
// absolute units mean something only beside it.

import { type BenchFigure, figure, median } from './figure.ts';

const rounds = 5;
const items = 300_000;

export function referenceFigure(name: string): BenchFigure {
  work();
  const times = Array.from({ length: rounds }, () => {
    const begun = performance.now();
    work();
    return performance.now() - begun;
  });
  return figure(name, median(times), 'ms', 'none', true);
}

function work(): number {
  const sums = new Map<string, number>();
  let length = 0;
  for (let i = 0; i < items; i++) {
    const key = `k${i % 5_000}`;
    sums.set(key, (sums.get(key) ?? 0) + i);
    if (i % 50 === 0) length += JSON.stringify({ i, keys: [key, key] }).length;
  }
  return length + sums.size;
}
