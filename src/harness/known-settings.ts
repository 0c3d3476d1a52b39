// Validates the names of a task's settings for its harness: an unknown name is an error.

/** One sentence on the first setting that the harness does not know; null = it knows all. */
export function unknownSetting(
  harness: string,
  known: readonly string[],
  settings: Readonly<Record<string, string>>,
): string | null {
  const unknown = Object.keys(settings).find((name) => !known.includes(name));
  if (unknown === undefined) return null;
  return `the harness "${harness}" has no setting "${unknown}"; it has: ${known.join(', ')}`;
}
