// Which versions of Codex this harness knows. Pure.

/** Those that the tests run on, the oldest first. */
export const codexTested = ['0.169.0'] as const;

/** Judges what `codex --version` says. A newer one may run: a test compares its types with those that are used here. */
export function judgeCodexVersion(text: string): 'tested' | 'untested' | 'tooOld' {
  const version = /\d+\.\d+\.\d+/.exec(text)?.[0];
  if (version === undefined) return 'untested';
  if (codexTested.some((each) => each === version)) return 'tested';
  return isBefore(version, codexTested[0]) ? 'tooOld' : 'untested';
}

function isBefore(version: string, other: string): boolean {
  const [a, b] = [version, other].map((each) => each.split('.').map(Number)) as [number[], number[]];
  const at = a.findIndex((part, i) => part !== b[i]);
  return at !== -1 && (a[at] as number) < (b[at] as number);
}
