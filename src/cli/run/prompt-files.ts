// Prompts from files: several in one, separated by lines of `---`. A file without such a line is one prompt, however many lines
// it has: starting an agent for each line by mistake would be expensive.

import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { Fault } from '../../std/fault.ts';
import { diskFault } from '../../std/files.ts';

export async function readPrompts(files: readonly string[]): Promise<string[]> {
  const out: string[] = [];
  for (const file of files) {
    const found = partPrompts(await contents(file));
    if (found.length === 0) throw new Fault('bad_request', `there is no prompt in ${file === '-' ? 'stdin' : file}`);
    out.push(...found);
  }
  return out;
}

export function partPrompts(file: string): string[] {
  return file
    .replace(/^\ufeff/, '')
    .split(/^---[ \t]*\r?$/m)
    .map((prompt) => prompt.replaceAll('\r\n', '\n').trim())
    .filter((prompt) => prompt !== '');
}

async function contents(file: string): Promise<string> {
  if (file === '-') return text(process.stdin);
  return readFile(file, 'utf8').catch((cause: unknown) => {
    const known = diskFault(cause, file);
    throw known instanceof Fault ? known : new Fault('bad_request', `the file ${file} cannot be read`, { cause });
  });
}
