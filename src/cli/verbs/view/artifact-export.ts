// `signalbox artifact export`: an artifact as a file, byte for byte, so that its hash is its name; and beside it what vouches
// for where it comes from.

import { writeFile } from 'node:fs/promises';
import { Fault } from '../../../std/fault.ts';
import { diskFault, errnoOf } from '../../../std/files.ts';
import { artifactExport as exported } from '../../../wire/artifact-views.ts';
import { exits, type Verb } from '../../client/context.ts';

export interface ExportOptions {
  readonly kind?: string;
  readonly force?: boolean;
}

export const artifactExport: Verb<ExportOptions> = async ({ client, terminal }, [word = '', file], { kind, force }) => {
  const query = new URLSearchParams({ word, ...(kind === undefined ? {} : { kind }) });
  const { id, text, envelope } = await client.get(`/artifact/export?${query.toString()}`, exported);
  if (file === '-') {
    await terminal.print(text);
    return exits.ok;
  }
  const target = file ?? `${id}.json`;
  await write(target, text, force === true);
  terminal.note(`wrote ${Buffer.byteLength(text)} bytes to ${target}`);
  if (envelope === null) {
    terminal.note('The record has no good seal of it, so nothing beside it vouches for where it comes from.');
    return exits.ok;
  }
  const beside = `${target}.seal.json`;
  await write(beside, `${JSON.stringify(envelope, null, 2)}\n`, force === true);
  terminal.note(`wrote where it comes from, sealed, to ${beside}`);
  return exits.ok;
};

async function write(target: string, text: string, replace: boolean): Promise<void> {
  try {
    await writeFile(target, text, { flag: replace ? 'w' : 'wx' });
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw diskFault(error, target);
    throw new Fault('bad_request', `${target} is there already: name another file, or replace it with --force`);
  }
}
