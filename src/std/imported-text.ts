// The imports of an instruction file: `@docs/style.md` in its text, as Claude Code reads them. Outside of code only, relative to the
// file that names it, at most five deep, each file once. Reading is passed in.

import { posix } from 'node:path';

/** null: there is no such file, or it may not be read. */
export type ReadImport = (path: string) => Promise<string | null>;

export interface Import {
  readonly path: string;
  readonly text: string;
}

const deepest = 5;
const importsMax = 50;

/** The files that a text imports, directly or through others, in the order in which they are named. */
export async function importsOf(text: string, file: string, read: ReadImport): Promise<readonly Import[]> {
  const seen = new Set([file]);
  const found: Import[] = [];
  const follow = async (from: string, words: string, depth: number): Promise<void> => {
    for (const named of importsNamed(words)) {
      const path = /^[/~]/.test(named) ? named : posix.normalize(posix.join(posix.dirname(from), named));
      if (seen.has(path) || found.length >= importsMax) continue;
      seen.add(path);
      const content = await read(path);
      if (content === null) continue;
      found.push({ path, text: content });
      if (depth < deepest) await follow(path, content, depth + 1);
    }
  };
  await follow(file, text, 1);
  return found;
}

/** The text with the files that it imports below it. */
export async function withImports(text: string, file: string, read: ReadImport): Promise<string> {
  const imports = await importsOf(text, file, read);
  return [text, ...imports.map((each) => `Contents of ${each.path}:\n\n${each.text}`)].join('\n\n');
}

/** Paths after an `@` at the start of a word; an address of a person is none. */
export function importsNamed(text: string): string[] {
  const prose = text.replace(/^(```|~~~)[\s\S]*?^\1.*$/gm, '').replace(/`[^`\n]*`/g, '');
  const named = [...prose.matchAll(/(?:^|\s)@((?:~\/|\.{0,2}\/)?[A-Za-z0-9._][^\s,;:!?)\]}'"]*)/g)];
  return named.map(([, path = '']) => path.replace(/\.+$/, '')).filter((path) => path !== '');
}
