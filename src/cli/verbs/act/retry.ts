// `signalbox retry`: another attempt at one task that did not succeed, and at the tasks skipped because of it.

import { Fault } from '../../../std/fault.ts';
import { shownJson } from '../../../std/plain-text.ts';
import { accepted, runView } from '../../../wire/views.ts';
import { exits, type Verb } from '../../client/context.ts';
import { find } from '../../client/find-id.ts';
import { followRun } from '../../run/follow-run.ts';

export const retry: Verb<{ readonly detach?: boolean; readonly json?: boolean; readonly verbose?: boolean }> = async (
  context,
  [word = ''],
  { detach, json = false, verbose },
) => {
  const { runId, taskId } = await find(context, word);
  if (taskId === null) throw new Fault('bad_request', `${runId} is a run: retry it with "signalbox resume ${runId}"`);
  const before = await context.client.get(`/runs/${runId}`, runView);
  await context.client.post(`/tasks/${taskId}/retry`, {}, accepted);
  if (detach !== true) return followRun(context, before, { json, verbose, after: before.seq });
  await context.terminal.print(json ? `${shownJson(before)}\n` : `${taskId} will be retried.\n`);
  return exits.ok;
};
