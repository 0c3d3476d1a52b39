// Scripts of scripted agents, from their files.

import { readFile } from 'node:fs/promises';
import { Fault } from '../../std/fault.ts';
import { diskFault } from '../../std/files.ts';

/** One for each of `count` prompts: as many as are given, or one for all. */
export async function readScripts(files: readonly string[], count: number): Promise<readonly string[]> {
  if (files.length > 1 && files.length !== count) {
    throw new Fault('bad_request', `${files.length} scripts for ${count} prompts: give one for all, or one for each`);
  }
  const texts = await Promise.all(
    files.map((file) =>
      readFile(file, 'utf8').catch((cause: unknown) => {
        const known = diskFault(cause, file);
        throw known instanceof Fault ? known : new Fault('bad_request', `the script ${file} cannot be read`, { cause });
      }),
    ),
  );
  return texts.length === 1 ? Array.from({ length: count }, () => texts[0] as string) : texts;
}
