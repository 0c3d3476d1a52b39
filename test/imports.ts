// Reads which files a source file imports, without a compiler: our imports are relative, static and carry
// their extension, so their text is enough. The linter checks the same directions by its own parser.
import { posix } from 'node:path';

const forms = [
  /^(?:import|export)\s+[\w$*\s{},]+?\s+from\s+['"]([^'"]+)['"]/gm,
  /^import\s+['"]([^'"]+)['"]/gm,
  /\bimport\(\s*['"]([^'"]+)['"]/g,
];

/** Paths of the files that `text`, standing at `file`, imports from this repository. */
export function importsOf(file: string, text: string): string[] {
  const specifiers = forms.flatMap((form) => [...text.matchAll(form)].map((match) => match[1] ?? ''));
  return specifiers
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => posix.join(posix.dirname(file), specifier));
}
