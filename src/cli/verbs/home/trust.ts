// `signalbox trust`: shows what the repository's MCP servers, hooks, settings and skills would run, and lets agents have them when the
// user agrees. What was shown is what is trusted: the hash is taken before the question. Starts no daemon and runs nothing.

import { toolLines } from '../../../configuration/tools/tool-words.ts';
import { openTrust } from '../../../configuration/tools/trust-store.ts';
import { Fault } from '../../../std/fault.ts';
import { plainLine } from '../../../std/plain-text.ts';
import { type Context, exits, type Verb } from '../../client/context.ts';
import { here } from '../../client/current-directory.ts';
import { type TrustHere, trustHere } from '../../client/repository-trust.ts';
import { checkoutTop } from '../../client/user-git.ts';
import { askYesNo } from '../../terminal/ask-yes-no.ts';
import { canAsk } from '../../terminal/secret-input.ts';

export interface TrustOptions {
  readonly yes?: boolean;
  readonly check?: boolean;
  readonly revoke?: boolean;
  readonly list?: boolean;
  readonly json?: boolean;
}

export const trust: Verb<TrustOptions> = async (context, _, options) => {
  if (options.list === true) return list(context, options.json === true);
  const { place, terminal } = context;
  const top = await checkoutTop(place, here());
  if (top === null) throw new Fault('not_a_repository', 'this is not a git repository: trust is given to one');
  const found = await trustHere(context, top);
  if (options.revoke === true) return revoke(context, found);
  await show(context, found, options.json === true);
  if (found.state === 'none' || found.state === 'trusted') return exits.ok;
  if (options.check === true) return exits.person;
  if (options.yes !== true && !canAsk()) {
    terminal.note('Nobody can be asked here. If you trust what is shown: signalbox trust --yes');
    return exits.person;
  }
  if (options.yes !== true && !(await askYesNo('May agents in this repository have all this?'))) {
    terminal.note('Nothing was trusted: agents work without it.');
    return exits.failed;
  }
  await openTrust(place.home).store({
    repository: found.repository,
    digest: found.found.digest ?? '',
    at: Date.now(),
  });
  terminal.note('Trusted, as it is now. If any of these files changes, agents do not get them until you look again.');
  return exits.ok;
};

const stateWords = {
  none: 'This repository has no MCP servers, hooks, settings or skills for agents: there is nothing to trust.',
  trusted: 'You trust this: agents get it.',
  changed: 'This has changed since you trusted it: agents do not get it.',
  untrusted: 'You have not trusted this: agents do not get it.',
} as const;

async function show({ terminal }: Context, { repository, found, state, trust }: TrustHere, json: boolean) {
  const { tools, digest, paths, leftOut } = found;
  if (json) {
    const { servers, settings = null, skills } = tools;
    const names = [...new Set(skills.map(({ path }) => path.split('/')[0]))];
    const said = { repository, state, digest, trusted: trust?.digest ?? null, paths, leftOut };
    await terminal.print(`${JSON.stringify({ ...said, servers, settings, skills: names })}\n`);
    return;
  }
  if (state !== 'none') await terminal.print(`${toolLines(found).join('\n')}\n`);
  else for (const line of leftOut) terminal.note(plainLine(line));
  terminal.note(stateWords[state]);
}

async function revoke({ place, terminal }: Context, { repository }: TrustHere): Promise<number> {
  const removed = await openTrust(place.home).remove(repository);
  terminal.note(removed ? 'No longer trusted. Agents that run keep what they have.' : 'It was not trusted.');
  return exits.ok;
}

async function list({ place, terminal }: Context, json: boolean): Promise<number> {
  const all = await openTrust(place.home).list();
  if (json) await terminal.print(`${JSON.stringify(all)}\n`);
  else for (const { repository, at } of all) await terminal.print(`${plainLine(repository)}  ${dayOf(at)}\n`);
  if (all.length === 0 && !json) terminal.note('You trust no repository.');
  return exits.ok;
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
