// `signalbox artifacts`: lists the artifacts of a run.

import { localTime } from '../../../std/clock.ts';
import { Fault } from '../../../std/fault.ts';
import { plainLine, shownJson } from '../../../std/plain-text.ts';
import { type ArtifactView, artifactList } from '../../../wire/artifact-views.ts';
import { runList } from '../../../wire/views.ts';
import { type Context, exits, type Verb } from '../../client/context.ts';
import { find } from '../../client/find-id.ts';
import { tableLines } from '../../text/table.ts';

export interface ArtifactsOptions {
  readonly task?: string;
  readonly kind?: string;
  readonly json?: boolean;
}

export const artifacts: Verb<ArtifactsOptions> = async (context, [word], { task, kind, json }) => {
  const { client, terminal } = context;
  const runId = word === undefined ? await newestRun(context) : (await find(context, word)).runId;
  const query = new URLSearchParams({
    ...(task === undefined ? {} : { task }),
    ...(kind === undefined ? {} : { kind }),
  });
  const list = await client.get(`/runs/${runId}/artifacts?${query.toString()}`, artifactList);
  if (json === true) await terminal.print(`${shownJson(list)}\n`);
  else if (list.artifacts.length === 0) terminal.note('No artifacts yet: they are stored when an attempt ends.');
  else await terminal.print(`${artifactLines(list.artifacts, Date.now()).join('\n')}\n`);
  return exits.ok;
};

async function newestRun({ client }: Pick<Context, 'client'>): Promise<string> {
  const { runs } = await client.get('/runs?all=1&limit=1', runList);
  const newest = runs.at(-1);
  if (newest === undefined) throw new Fault('not_found', 'there is no run yet: start one with "signalbox run"');
  return newest.id;
}

/** Long enough to be unique. */
const idShown = 12;

export function shortId(id: string): string {
  return id.replace(/^artifact_/, '').slice(0, idShown);
}

export function artifactLines(list: readonly ArtifactView[], now: number): string[] {
  const rows = list.map(({ id, kind, task, attemptId, bytes, at }) => {
    const attempt = /-(\d+)$/.exec(attemptId)?.[1] ?? '';
    return [shortId(id), kind, plainLine(task), attempt, String(bytes), localTime(at, now)];
  });
  return tableLines([['ID', 'KIND', 'TASK', 'ATTEMPT', 'BYTES', 'WHEN'], ...rows], { left: 3 });
}
