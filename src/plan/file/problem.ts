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

/** Where something stands: the keys and numbers that lead to it. */
export type PlanPath = readonly (string | number)[];

/** `key`: the key itself instead of its value. A number: the so manieth `${{` of a text, from 0. */
export type Part = 'key' | number;

/** What a plan was read from. Asked only when there is something to tell. */
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

/** In the order in which they stand in the file. */
export function inOrder(problems: readonly Problem[]): Problem[] {
  return [...problems].sort((a, b) => a.line - b.line || a.column - b.column);
}

/** `plan.yaml:3:5: error: …`, which terminals and editors make a link of. */
export function problemText({ file, line, column, severity, message, suggestion }: Problem): string {
  return `${file}:${line}:${column}: ${severity}: ${message}${suggestion === null ? '' : `\n  ${suggestion}`}`;
}
