// The text of the merge commit that integrates a work and names its attempt. It contains no current time, so the same
// integration gives the same commit.

import type { Trailer } from '../../ports/integration-port.ts';
import { assert } from '../../std/assert.ts';
import type { Identity } from '../commands/create-commit.ts';

export interface IntegrationCommit {
  readonly tree: string;
  /** The branch so far, and the work. */
  readonly parents: readonly string[];
  readonly attemptId: string;
  readonly title: string;
  /** Milliseconds since the epoch, from the journal. */
  readonly at: number;
  readonly trailers: readonly Trailer[];
}

/** Signs the text of a commit; the same for the same text. Returns an armoured signature. */
export type Sign = (payload: string) => string;

/** The trailer that names the attempt. */
export const attemptKey = 'Signalbox-Attempt';

/** The text of the commit. */
export function integrationCommit(order: IntegrationCommit, identity: Identity, sign: Sign | null): string {
  return mergeCommit({ ...order, message: messageOf(order) }, identity, sign);
}

export interface MergeCommit extends Pick<IntegrationCommit, 'tree' | 'parents' | 'at'> {
  readonly message: string;
}

/** The text of any merge of ours. */
export function mergeCommit(order: MergeCommit, { name, email }: Identity, sign: Sign | null): string {
  const { tree, parents, at } = order;
  assert(Number.isSafeInteger(at) && at >= 0, `time of a merge of ${parents.join(' and ')}: ${at}`);
  const who = `${name} <${email}> ${Math.floor(at / 1000)} +0000`;
  const headers = [
    `tree ${tree}`,
    ...parents.map((parent) => `parent ${parent}`),
    `author ${who}`,
    `committer ${who}`,
  ].map((header) => `${header}\n`);
  const message = `\n${order.message}`;
  const signature = sign === null ? '' : signatureHeader(sign(`${headers.join('')}${message}`), tree);
  return `${headers.join('')}${signature}${message}`;
}

function messageOf({ attemptId, title, trailers }: IntegrationCommit): string {
  const subject = title.replaceAll('\0', ' ').trim() || `Work of ${attemptId}`;
  // Ours comes first and only once: it identifies an integration.
  return withTrailers(subject, [
    { key: attemptKey, value: attemptId },
    ...trailers.filter(({ key }) => key !== attemptKey),
  ]);
}

export function withTrailers(subject: string, trailers: readonly Trailer[]): string {
  return `${subject}\n\n${trailers.map(trailerLine).join('')}`;
}

/** A value with line breaks could be mistaken for other trailers. */
function trailerLine({ key, value }: Trailer): string {
  assert(/^[A-Za-z0-9-]+$/.test(key), `key of a trailer: ${key}`);
  return `${key}: ${value.replaceAll(/[\s\0]+/g, ' ').trim()}\n`;
}

/** As git writes it: after the other headers, further lines indented by a space. */
function signatureHeader(armoured: string, tree: string): string {
  const name = tree.length === 64 ? 'gpgsig-sha256' : 'gpgsig';
  return `${name} ${armoured.trimEnd().replaceAll('\n', '\n ')}\n`;
}
