// Other runs of the same repository whose work changes the same lines: found by merging their branches with this one, so that
// a conflict is known before anything lands. Reads only.

import type { Overlap } from '../../ports/integration-port.ts';
import { createAttributePlaces } from '../commands/attributes.ts';
import { git } from '../commands/git.ts';
import { mergeCommits } from '../commands/merge.ts';
import { pathText } from '../commands/path-text.ts';
import { openQuarantine } from '../commands/quarantine.ts';

export interface OverlapOrder {
  readonly bare: string;
  readonly scratch: string;
  /** The branch of this run, and where it is. */
  readonly ref: string;
  readonly head: string;
}

export async function overlappingRuns(order: OverlapOrder, signal: AbortSignal): Promise<Overlap[]> {
  const { bare, scratch, ref, head } = order;
  const others = (await branches(bare, signal)).filter((each) => each.ref !== ref).slice(0, runsMax);
  if (others.length === 0) return [];
  const quarantine = await openQuarantine({ bare, scratch, like: head });
  const at = await createAttributePlaces(scratch, quarantine, signal).at(head);
  const found: Overlap[] = [];
  for (const other of others) {
    if (await isContained(bare, other, head, signal)) continue;
    const merged = await mergeCommits(head, other.head, at);
    if (merged.kind !== 'conflict') continue;
    const paths = merged.names.slice(0, pathsMax).map(pathText);
    found.push({ runId: other.runId, name: other.name, paths, pathsTotal: merged.names.length });
  }
  return found;
}

/** How many of the newest runs are examined, and how many paths are listed. */
const runsMax = 20;
const pathsMax = 20;

interface Branch {
  readonly ref: string;
  readonly head: string;
  readonly runId: string;
  readonly name: string;
}

/** The newest first. Its last integration names the run. */
async function branches(bare: string, signal: AbortSignal): Promise<Branch[]> {
  const format = '%(refname) %(objectname) %(contents:trailers:key=Signalbox-Run,valueonly,separator=%x20)';
  const args = ['for-each-ref', '--sort=-committerdate', `--count=${runsMax + 1}`, `--format=${format}`];
  const { stdout } = await git([...args, 'refs/signalbox-run'], { env: { GIT_DIR: bare }, signal });
  return stdout.split('\n').flatMap((line) => {
    const [ref = '', head = '', runId = '', ...name] = line.trim().split(' ');
    return runId === '' ? [] : [{ ref, head, runId, name: name.join(' ') }];
  });
}

/** As it is, or as the commits by which it has landed. */
async function isContained(bare: string, { runId, head }: Branch, of: string, signal: AbortSignal): Promise<boolean> {
  const args = ['for-each-ref', '--format=%(refname) %(objectname)', `refs/signalbox-landing/${runId}`];
  const { stdout } = await git(args, { env: { GIT_DIR: bare }, signal });
  const refs = new Map(stdout.split('\n').map((line) => line.split(' ') as [string, string]));
  const landed = [...refs].flatMap(([ref, at]) => {
    return ref.endsWith('/head') && at === head ? (refs.get(ref.replace(/head$/, 'to')) ?? []) : [];
  });
  for (const commit of [head, ...landed]) {
    const is = ['merge-base', '--is-ancestor', commit, of];
    if ((await git(is, { env: { GIT_DIR: bare }, signal, accept: [0, 1, 128] })).status === 0) return true;
  }
  return false;
}
