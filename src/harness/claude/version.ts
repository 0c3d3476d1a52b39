// Which versions of Claude Code this harness supports. Pure.

/** The versions that the tests run on, the oldest first. */
export const claudeTested = ['2.1.197', '2.1.325', '2.1.326'] as const;

export type VersionVerdict =
  | { readonly kind: 'tested' | 'untested' | 'tooOld'; readonly version: string }
  | { readonly kind: 'unknown' };

/** Judges the output of `claude --version`. A version newer than all we know may run: the protocol has been stable. */
export function judgeClaudeVersion(text: string): VersionVerdict {
  const version = /^\d+\.\d+\.\d+/.exec(text)?.[0];
  if (version === undefined) return { kind: 'unknown' };
  if (claudeTested.some((each) => each === version)) return { kind: 'tested', version };
  return { kind: isBefore(version, claudeTested[0]) ? 'tooOld' : 'untested', version };
}

function isBefore(version: string, other: string): boolean {
  const [a, b] = [version, other].map((each) => each.split('.').map(Number)) as [number[], number[]];
  const at = a.findIndex((part, i) => part !== b[i]);
  return at !== -1 && (a[at] as number) < (b[at] as number);
}
