// `signalbox resume`: retries every task of a run that did not succeed.

import { shownJson } from '../../../std/plain-text.ts';
import { accepted, runView } from '../../../wire/views.ts';
import { exits, type Verb } from '../../client/context.ts';
import { find } from '../../client/find-id.ts';
import { followRun } from '../../run/follow-run.ts';

export const resume: Verb<{ readonly detach?: boolean; readonly json?: boolean; readonly verbose?: boolean }> = async (
  context,
  [word = ''],
  options,
) => {
  const { client, terminal } = context;
  const { runId } = await find(context, word);
  const before = await client.get(`/runs/${runId}`, runView);
  await client.post(`/runs/${runId}/resume`, {}, accepted);
  if (options.detach !== true) return followRun(context, before, { ...options, after: before.seq });
  await terminal.print(options.json === true ? `${shownJson({ id: runId })}\n` : `${runId} resumed\n`);
  return exits.ok;
};
