// `signalbox events`: prints the events of a run.

import { plainLine, shownJson } from '../../../std/plain-text.ts';
import { exits, type Verb } from '../../client/context.ts';
import { findOrNewest } from '../../client/find-id.ts';
import { followEvents, sayReturn } from '../../client/follow-events.ts';
import { holdsCut, wholeIs } from '../../text/cut-text.ts';

export interface EventsOptions {
  readonly follow?: boolean;
  readonly json?: boolean;
}

export const events: Verb<EventsOptions> = async (context, [word], { follow, json }) => {
  const { client, terminal } = context;
  const { runId } = await findOrNewest(context, word);
  const leave = new AbortController();
  process.once('SIGINT', () => leave.abort());
  const onReturn = sayReturn(terminal.note);
  const taskOf = new Map<string, string>();
  try {
    const options = { after: 0, follow: follow === true, signal: leave.signal, onReturn };
    for await (const wire of followEvents(client, runId, options)) {
      const { at, type, ...data } = wire.event;
      if (wire.event.type === 'attempt.started') taskOf.set(wire.event.attemptId, wire.event.taskId);
      const { taskId, attemptId = '' } = data as { taskId?: string; attemptId?: string };
      const where = holdsCut(data) ? wholeIs(taskId ?? taskOf.get(attemptId) ?? runId) : '';
      const shown = `${wire.seq} ${stamp(at)} ${type} ${plainLine(JSON.stringify(shortened(data)))}${where}`;
      const line = json === true ? shownJson(wire) : shown;
      await terminal.print(`${line}\n`);
      if (follow === true && type === 'run.ended') break;
    }
  } catch (error) {
    if (leave.signal.aborted) return exits.detached;
    throw error;
  }
  return exits.ok;
};

/** Of roles, which are long, the names are shown, and of a codec's state, which may hold an answer, nothing. `--json` has everything. */
function shortened(data: object): object {
  const { run, codec: _, ...rest } = data as { run?: { roles?: object }; codec?: string };
  if (run === undefined) return rest;
  return { ...rest, run: run.roles === undefined ? run : { ...run, roles: Object.keys(run.roles) } };
}

function stamp(at: number): string {
  return new Date(at).toISOString();
}
