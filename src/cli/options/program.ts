// Parses the command line, calls the verb and reports errors.

import { CommanderError } from 'commander';
import { Fault, type FaultCode } from '../../std/fault.ts';
import { plainText } from '../../std/plain-text.ts';
import { createClient, Declined } from '../client/client.ts';
import { exits, type Lent, type Verb } from '../client/context.ts';
import { endWithReader, terminal } from '../terminal/terminal.ts';
import { buildProgram } from './verbs.ts';

export async function runCli(argv: readonly string[], lent: Lent): Promise<number> {
  endWithReader();
  let code: number = exits.ok;
  const act =
    <Options>(load: () => Promise<Verb<Options>>) =>
    async (...given: unknown[]): Promise<void> => {
      // Commander passes the arguments, then the options, then the command.
      const words = given
        .slice(0, -2)
        .flat()
        .filter((word) => word !== undefined) as string[];
      const verb = await load();
      const place = lent.config();
      const client = createClient(place, lent.mainFile);
      code = await verb({ place, lent, client, terminal }, words, given.at(-2) as Options);
    };
  try {
    await buildProgram(lent.version, act).parseAsync(argv);
    return code;
  } catch (error) {
    return explain(error);
  }
}

/** Prints the error to stderr and returns the exit code for its kind. */
function explain(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exits.ok : exits.usage;
  if (error instanceof Declined) return tell(error.message, exits.failed);
  if (error instanceof Fault) return tell(error.message, codes[error.code] ?? exits.daemon);
  const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return tell(`this is a bug in Signalbox; nothing is lost and agents continue\n${trace}`, exits.bug);
}

function tell(message: string, code: number): number {
  terminal.note(`signalbox: ${plainText(message)}`);
  return code;
}

const codes: Partial<Record<FaultCode, number>> = {
  agent_unusable: exits.usage,
  artifact_corrupt: exits.failed,
  bad_request: exits.usage,
  git_failed: exits.failed,
  not_found: exits.usage,
  not_a_repository: exits.usage,
};
