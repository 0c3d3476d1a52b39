// `signalbox adopt`: a session that the user began by hand goes on as a task, in a workspace of its own. The session is copied; the
// user's file and checkout stay as they are.

import { Fault } from '../../../std/fault.ts';
import { plainLine } from '../../../std/plain-text.ts';
import { createdView } from '../../../wire/views.ts';
import { exits, type Verb } from '../../client/context.ts';
import { here } from '../../client/current-directory.ts';
import { findSession } from '../../client/find-session.ts';
import { checkoutTop } from '../../client/user-git.ts';
import { configurationHere } from '../../run/configuration-here.ts';
import { followRun, howToFollow } from '../../run/follow-run.ts';
import { passedVariables } from '../../run/passed-variables.ts';
import { promptRequest } from '../../run/prompt-request.ts';
import type { RunOptions } from '../../run/run.ts';
import { toolsToSend } from '../../run/tools-to-send.ts';

type AdoptOptions = Pick<RunOptions, 'base' | 'check' | 'model' | 'sandbox' | 'detach' | 'verbose' | 'json'>;

const goOn =
  'Signalbox has taken this session over. You work in a copy of the repository now, whose path is another one: use paths relative to ' +
  'the current directory. Finish the work that was begun in this session.';

export const adopt: Verb<AdoptOptions> = async (context, [word = '', prompt], options) => {
  const { client, terminal, place } = context;
  const { harness, session, path, cwd } = await findSession(place, word);
  const top = await checkoutTop(place, cwd ?? here());
  if (top === null) {
    throw new Fault('not_a_repository', `the session worked in ${cwd ?? here()}, which is in no git repository`);
  }
  const configuration = await configurationHere(context, top);
  const { values } = configuration;
  const agent = { harness, model: options.model, effort: undefined, words: '' };
  const all = { ...options, retries: 0, base: options.base ?? 'worktree', name: `adopt-${session.slice(0, 8)}` };
  const request = await promptRequest(
    [prompt ?? goOn],
    { ...all, sandbox: options.sandbox ?? values.sandbox },
    agent,
    values,
  );
  const tasks = request.tasks.map((task) => ({ ...task, name: 'adopted', adopt: { session, path } }));
  const variables = passedVariables(context, [], configuration);
  const tools = await toolsToSend(context, top, configuration, tasks);
  const body = { ...request, repo: { ...request.repo, path: top }, tasks, variables, ...tools };
  const created = await client.post('/runs', body, createdView);
  terminal.note(plainLine(`Session ${session} of ${top} goes on as a copy. Your own stays as it is.`));
  for (const note of created.notes) terminal.note(plainLine(note));
  if (options.detach !== true) return followRun(context, created, all);
  await terminal.print(
    options.json === true ? `${JSON.stringify(created)}\n` : `${created.id}\n${howToFollow(created)}`,
  );
  return exits.ok;
};
