// `signalbox init`: looks at the repository and proposes its configuration. Writes it when the user agrees; overwrites nothing.

import { existsSync, readFileSync, statSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { repositoryFile } from '../../../configuration/configuration.ts';
import { propose, proposedText, type TopFiles } from '../../../configuration/propose.ts';
import { Fault } from '../../../std/fault.ts';
import { diskFault, errnoOf } from '../../../std/files.ts';
import { plainLine, plainText } from '../../../std/plain-text.ts';
import { agentList } from '../../../wire/agent-views.ts';
import { type Context, exits, type Verb } from '../../client/context.ts';
import { here } from '../../client/current-directory.ts';
import { checkoutTop } from '../../client/user-git.ts';
import { schemaLocation } from '../../run/schema-location.ts';
import { askYesNo } from '../../terminal/ask-yes-no.ts';
import { canAsk } from '../../terminal/secret-input.ts';

export const init: Verb<{ readonly yes?: boolean }> = async (context, _, { yes = false }) => {
  const { terminal, place } = context;
  const top = await checkoutTop(place, here());
  if (top === null) throw new Fault('not_a_repository', 'this is not a git repository: run "git init" first');
  const file = join(top, repositoryFile);
  if (existsSync(file)) {
    throw new Fault('bad_request', `${repositoryFile} exists already: "signalbox config" shows what holds here`);
  }
  const proposal = propose(filesOf(top));
  const text = proposedText(proposal, sharedSchema(dirname(file)));
  for (const line of await agentLines(context)) terminal.note(line);
  if (proposal.checks.length === 0) {
    terminal.note('No tests were found here: nothing would prove the work. Name a command that does under "checks".');
  }
  await terminal.print(plainText(`${repositoryFile}:\n\n${text}`));
  if (!yes && !canAsk()) {
    terminal.note('Nobody can be asked here: write it with "signalbox init --yes".');
    return exits.person;
  }
  if (!yes && !(await askYesNo(`Write ${repositoryFile}?`))) {
    terminal.note('Nothing was written.');
    return exits.ok;
  }
  await write(file, text);
  terminal.note(`Written. It counts from now on; commit it to share it. Next: signalbox run "what to do"`);
  return exits.ok;
};

/** The agents that would work. A daemon is asked, because it has the environment that agents get. */
async function agentLines({ client }: Context): Promise<string[]> {
  const { agents } = await client.get('/agents', agentList);
  const usable = agents.filter(({ flaw }) => flaw === null).map(({ title }) => title);
  if (usable.length > 0) return [plainLine(`Agents that can work here: ${usable.join(', ')}.`)];
  return ['No agent can work here yet:', ...agents.map(({ flaw }) => plainLine(`  - ${flaw ?? ''}`))];
}

/** The file is for everybody who works in the repository, so it must not hold a path of this machine. */
function sharedSchema(folder: string): string | null {
  const location = schemaLocation(folder, 'docs/config.schema.json');
  return location.startsWith('file:') ? null : location;
}

const bytesMax = 1_000_000;

function filesOf(top: string): TopFiles {
  return {
    has: (name) => existsSync(join(top, name)),
    read(name) {
      const stats = statSync(join(top, name), { throwIfNoEntry: false });
      if (stats?.isFile() !== true || stats.size > bytesMax) return null;
      return readFileSync(join(top, name), 'utf8');
    },
  };
}

async function write(file: string, text: string): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text, { flag: 'wx' });
  } catch (cause) {
    if (errnoOf(cause) === 'EEXIST') throw new Fault('bad_request', `${repositoryFile} exists already`, { cause });
    const known = diskFault(cause, file);
    throw known instanceof Fault ? known : new Fault('bad_request', `${file} cannot be written`, { cause });
  }
}
