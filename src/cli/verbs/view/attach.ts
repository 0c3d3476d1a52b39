// `signalbox attach`: follows the session of an agent; a typed line is sent to it, Escape ends its turn. Ctrl-C leaves; the agent continues.

import { isFault } from '../../../std/fault.ts';
import type { Line } from '../../../std/lines.ts';
import { plainLine } from '../../../std/plain-text.ts';
import { clientIds } from '../../../wire/id-pattern.ts';
import { accepted, type RunView, runView, type TaskView } from '../../../wire/views.ts';
import { type Context, exits, type Verb } from '../../client/context.ts';
import { copyTask, taskOf, tooLong } from '../../client/copy-transcripts.ts';
import { findTask } from '../../client/find-id.ts';
import { holdWorkspaces } from '../../client/hold-workspaces.ts';
import { showLine } from '../../client/transcript-text.ts';
import { openConversation } from '../../terminal/conversation.ts';
import { createPaint } from '../../text/paint.ts';
import { reopenCommand } from '../../text/reopen-session.ts';
import { exitForTask, taskWords } from '../../text/summary.ts';

/** How much of the earlier session is shown. */
const backlogLines = 60;

export const attach: Verb<{ readonly json?: boolean }> = async (context, [word = ''], options) => {
  const { client, terminal } = context;
  const { runId, taskId } = await findTask(context, word);
  const look = async (): Promise<TaskView> => taskOf(await client.get(`/runs/${runId}`, runView), taskId);
  if (options.json === true) {
    const { logs } = await import('./logs.ts');
    return logs(context, [taskId], { follow: true, json: true });
  }
  const leave = new AbortController();
  process.once('SIGINT', () => leave.abort());
  const talk = openTalk(context, await look(), leave);
  const looking = new AbortController();
  await holdWorkspaces(context, taskId, looking.signal);
  try {
    await converse(context, { runId, taskId }, talk.show, leave.signal);
  } catch (error) {
    if (!leave.signal.aborted && !isFault(error, 'store_closed')) throw error;
    talk.close();
    terminal.note(leave.signal.aborted ? 'The agent continues.' : (error as Error).message);
    terminal.note(`reattach: signalbox attach ${taskId}`);
    if (leave.signal.aborted) sayReopen(context, await look());
    return leave.signal.aborted ? exits.detached : exits.daemon;
  } finally {
    looking.abort();
  }
  talk.close();
  const ended = await look();
  await terminal.print(`${taskWords(ended)}\n`);
  sayReopen(context, ended);
  return exitForTask(ended);
};

interface Talk {
  show(text: string): void | Promise<void>;
  close(): void;
}

/** Lines can be typed only on a terminal. */
function openTalk(context: Context, task: TaskView, leave: AbortController): Talk {
  const { client, terminal, place } = context;
  terminal.note(`${task.name}: ${taskWords(task)}`);
  if (!place.look.live || !process.stdin.isTTY || !process.stdout.isTTY) {
    return { show: (text) => terminal.print(`${text}\n`), close: () => undefined };
  }
  const paint = createPaint(place.look.colour);
  terminal.note(
    'Type a line to steer the agent. Esc ends its turn; it then waits for a line. Ctrl-C leaves; the agent continues.',
  );
  const say = async (text: string): Promise<void> => {
    try {
      await client.post(`/tasks/${task.id}/send`, { id: clientIds.message(), text }, accepted);
      conversation.show(paint('dim', `(sent: ${plainLine(text)})`));
    } catch (error) {
      conversation.show(paint('red', `(not sent: ${plainLine((error as Error).message)})`));
    }
  };
  const interrupt = async (): Promise<void> => {
    try {
      await client.post(`/tasks/${task.id}/interrupt`, {}, accepted);
      conversation.show(paint('dim', '(interrupted: the agent waits for a line of yours)'));
    } catch (error) {
      conversation.show(paint('red', `(not interrupted: ${plainLine((error as Error).message)})`));
    }
  };
  const conversation = openConversation({
    input: process.stdin,
    output: process.stdout,
    paint,
    onLine: (line) => void say(line),
    onInterrupt: () => void interrupt(),
    onLeave: () => leave.abort(),
  });
  return conversation;
}

/** The end of the earlier session, then everything new until the task ends. */
async function converse(
  context: Context,
  { runId, taskId }: { runId: RunView['id']; taskId: string },
  show: Talk['show'],
  signal: AbortSignal,
): Promise<void> {
  const places = new Map<string, { at: number }>();
  const words = ({ text, ...line }: Line, file: string): string | null =>
    line.flaw === 'oversize' ? tooLong({ text, ...line }, file) : showLine(text);
  const backlog: string[] = [];
  let leftOut = false;
  const options = { signal, places, begin: () => undefined };
  await copyTask(context, runId, taskId, {
    ...options,
    follow: false,
    async print(line, file) {
      const shown = words(line, file);
      if (shown !== null) backlog.push(...shown.split('\n'));
      if (backlog.length <= backlogLines) return;
      backlog.splice(0, backlog.length - backlogLines);
      leftOut = true;
    },
  });
  if (leftOut) await show(`[earlier lines: signalbox logs ${taskId}]`);
  for (const line of backlog) await show(line);
  await copyTask(context, runId, taskId, {
    ...options,
    follow: true,
    async print(line, file) {
      const shown = words(line, file);
      if (shown !== null) await show(shown);
    },
  });
}

function sayReopen({ terminal }: Context, { attempt, outcome }: TaskView): void {
  const command = reopenCommand(attempt?.reopen ?? null);
  if (command === null) return;
  const when = outcome === null ? ' once it has ended here' : '';
  terminal.note(`to open the session in the agent's own interface${when}:\n  ${command}`);
}
