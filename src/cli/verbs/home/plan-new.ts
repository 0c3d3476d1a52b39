// `signalbox plan new`: writes an example plan. Overwrites nothing.

import { writeFile } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { starterPlan } from '../../../plan/preview/starter-plan.ts';
import { Fault } from '../../../std/fault.ts';
import { diskFault, errnoOf } from '../../../std/files.ts';
import { exits, type Verb } from '../../client/context.ts';
import { here } from '../../client/current-directory.ts';
import { schemaLocation } from '../../run/schema-location.ts';

const usualFile = 'work.plan.yaml';

export const planNew: Verb<object> = async ({ terminal, lent }, [word = usualFile]) => {
  const file = /\.ya?ml$/.test(word) ? word : `${word}.plan.yaml`;
  const name = basename(file)
    .replace(/(?:\.plan)?\.ya?ml$/, '')
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/^[-_]+/, '');
  const schema = schemaLocation(dirname(resolve(here(), file)));
  const text = starterPlan(name.slice(0, 48) || 'work', schema, lent.harnessNames[0] ?? 'scripted');
  try {
    await writeFile(file, text, { flag: 'wx' });
  } catch (cause) {
    if (errnoOf(cause) === 'EEXIST')
      throw new Fault('bad_request', `${file} exists already: give another name`, { cause });
    const known = diskFault(cause, file);
    throw known instanceof Fault ? known : new Fault('bad_request', `${file} cannot be written`, { cause });
  }
  await terminal.print(`${file}\n`);
  terminal.note(`Check it with: signalbox plan check ${file}`);
  return exits.ok;
};
