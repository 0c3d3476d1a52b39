// One measured figure and the bar it is held to, and the two ways of summing up many measurements.

export interface BenchFigure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly bar: string;
  readonly ok: boolean;
}

export function figure(name: string, value: number, unit: string, bar: string, ok: boolean): BenchFigure {
  return { name, value, unit, bar, ok };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
