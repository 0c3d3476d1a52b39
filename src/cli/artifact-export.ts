// `signalbox artifact export`: an artifact as a file, byte for byte, so that its hash is its name.

import { writeFile } from 'node:fs/promises';
import { Fault } from '../std/fault.ts';
import { diskFault, errnoOf } from '../std/files.ts';
import { readContent } from './artifact-show.ts';
import { exits, type Verb } from './context.ts';

export interface ExportOptions {
  readonly kind?: string;
  readonly force?: boolean;
}

export const artifactExport: Verb<ExportOptions> = async (context, [word = '', file], { kind, force }) => {
  const { id, text } = await readContent(context, word, kind);
  if (file === '-') {
    await context.terminal.print(text);
    return exits.ok;
  }
  const target = file ?? `${id}.json`;
  try {
    await writeFile(target, text, { flag: force === true ? 'w' : 'wx' });
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw diskFault(error, target);
    throw new Fault('bad_request', `${target} is there already: name another file, or replace it with --force`);
  }
  context.terminal.note(`wrote ${Buffer.byteLength(text)} bytes to ${target}`);
  return exits.ok;
};
