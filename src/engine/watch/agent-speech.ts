// The text an agent prints while it is followed: shown to people, its final text stored whole where it is long, and
// whether it does anything but call our tools.

import type { LaunchId } from '../../model/core/ids.ts';
import { type AgentEvent, type AgentFact, type Turn, turnTextMax } from '../../model/session/agent-fact.ts';
import type { Unfinished } from '../../model/session/last-words.ts';
import type { EffectContext } from '../effects/run-effect.ts';

export interface Speech {
  tell(event: AgentEvent): void;
  /** Completes the end of a turn with the text read here: the final text and where it is stored whole. */
  ended(turn: Turn): Promise<Turn>;
  /** Completes the fact in the same way. */
  whole(fact: AgentFact): Promise<AgentFact>;
  /** The last text of a turn that has not ended; null = none. */
  unfinished(): Promise<Unfinished | null>;
  /** Whether it has used a tool that is not ours since the last call. */
  worked(): boolean;
}

interface SpeechContext extends Pick<EffectContext, 'tell'> {
  readonly ports: { readonly launches: Pick<EffectContext['ports']['launches'], 'keepResult'> };
}

/** Shorter texts get no file: they are shown whole. */
export const wholeMin = 1_000;

const ours = 'mcp__signalbox__';

/** `before`: its text in the same turn before this engine followed it; '' = none. */
export function createSpeech(
  { ports, tell }: SpeechContext,
  launchId: LaunchId,
  before: () => Promise<string>,
): Speech {
  let said: string | null = null;
  let last = '';
  let worked = false;
  let sinceTurn = false;
  const kept = async (text: string): Promise<{ whole?: string }> =>
    text.length < wholeMin ? {} : { whole: await ports.launches.keepResult(launchId, text) };
  const lastWords = async (): Promise<string> => (last !== '' || sinceTurn ? last : before());
  const ended = async (turn: Turn): Promise<Turn> => {
    const text = turn.kind === 'ok' ? (said ?? '') : await lastWords();
    [said, last, sinceTurn] = [null, '', true];
    if (text === '' || (turn.kind === 'ok' && !text.startsWith(turn.text))) return turn;
    const words = turn.kind === 'ok' ? {} : { said: text.slice(0, turnTextMax) };
    return { ...turn, ...words, ...(await kept(text)) };
  };
  return {
    tell(event) {
      tell(launchId, event);
      if (event.kind === 'said') said = event.text;
      if (event.kind === 'text' && event.within === null) last = event.text;
      if (event.kind === 'toolCall' && !event.tool.startsWith(ours)) worked = true;
    },
    ended,
    async whole(fact) {
      return fact.kind === 'turnEnded' ? { ...fact, turn: await ended(fact.turn) } : fact;
    },
    async unfinished() {
      const text = await lastWords();
      return text === '' ? null : { said: text.slice(0, turnTextMax), ...(await kept(text)) };
    },
    worked() {
      const since = worked;
      worked = false;
      return since;
    },
  };
}
