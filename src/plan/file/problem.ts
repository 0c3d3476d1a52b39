// What is wrong with a plan, where, and how to fix it, as a compiler reports it.

export interface Problem {
  readonly severity: 'error' | 'warning';
  readonly message: string;
  readonly file: string;
  /** Both count from 1. */
  readonly line: number;
  readonly column: number;
  readonly suggestion: string | null;
}

export interface Place {
  readonly line: number;
  readonly column: number;
}

/** The keys and indices that lead to a value. */
export type PlanPath = readonly (string | number)[];

/** `key`: the key instead of its value. A number: which `${{` of a text, counted from 0. */
export type Part = 'key' | number;

/** Where a plan was read from. `place` is called only to report a problem. */
export interface Source {
  readonly file: string;
  place(path: PlanPath, part?: Part): Place;
}

export interface Flaw {
  readonly message: string;
  readonly suggestion?: string | null;
  readonly severity?: Problem['severity'];
}

export function problemAt(source: Source, path: PlanPath, flaw: Flaw, part?: Part): Problem {
  const { message, suggestion = null, severity = 'error' } = flaw;
  return { severity, message, file: source.file, ...source.place(path, part), suggestion };
}

export function hasErrors(problems: readonly Problem[]): boolean {
  return problems.some(({ severity }) => severity === 'error');
}

/** In the order of the file. */
export function inOrder(problems: readonly Problem[]): Problem[] {
  return [...problems].sort((a, b) => a.line - b.line || a.column - b.column);
}

/** `plan.yaml:3:5: error: …`, which terminals and editors turn into a link. */
export function problemText({ file, line, column, severity, message, suggestion }: Problem): string {
  return `${file}:${line}:${column}: ${severity}: ${message}${suggestion === null ? '' : `\n  ${suggestion}`}`;
}
