// `signalbox artifact export`: writes an artifact byte for byte, so that its hash still matches, and its seal beside it.

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
    terminal.note('The journal has no valid seal for this artifact, so no seal file was written.');
    return exits.ok;
  }
  const beside = `${target}.seal.json`;
  await write(beside, `${JSON.stringify(envelope, null, 2)}\n`, force === true);
  terminal.note(`wrote its seal to ${beside}`);
  return exits.ok;
};

async function write(target: string, text: string, replace: boolean): Promise<void> {
  try {
    await writeFile(target, text, { flag: replace ? 'w' : 'wx' });
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw diskFault(error, target);
    throw new Fault('bad_request', `${target} exists already: name another file, or overwrite it with --force`);
  }
}
