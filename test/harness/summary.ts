// What a recording came to, in a few words: for a table that a person can check against the transcript.

import type { AgentEvent } from '../../src/model/session/agent-fact.ts';
import { addUsage, noUsage } from '../../src/model/spending/usage.ts';
import type { Reading } from './recordings.ts';

export interface Summary {
  /** `ok`, or why it failed. */
  readonly turns: string;
  /** Input and output tokens, millionths of a dollar, and requests to the model. */
  readonly used: string;
  /** Numbers of the records that were read. */
  readonly delivered?: string;
  readonly tools?: string;
  /** Whatever else there was, counted. */
  readonly also?: string;
}

const uninteresting = new Set([
  'session',
  'delivered',
  'usage',
  'answered',
  'turnEnded',
  'text',
  'context',
  'window',
  'toolCall',
  'toolResult',
]);

export function summarize({ events, replies }: Reading): Summary {
  const turns = of(events, 'turnEnded').map(({ turn }) => (turn.kind === 'ok' ? 'ok' : turn.failure.reason));
  const total = noUsage();
  for (const { usage } of of(events, 'usage')) addUsage(total, usage);
  const delivered = of(events, 'delivered').map(({ recordId }) => recordId.replace('record_', ''));
  const tools = of(events, 'toolCall').map(({ tool, within }) => (within === null ? tool : `(${tool})`));
  const counts = new Map<string, number>();
  for (const { kind } of events) if (!uninteresting.has(kind)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  if (replies.length > 0) counts.set('replies', replies.length);
  const also = Array.from(counts, ([kind, count]) => `${kind} ${count}`);
  const unknown = total.unknownCosts > 0 ? `+${total.unknownCosts}?` : '';
  return {
    turns: turns.join(' '),
    used: `${total.inputTokens}/${total.outputTokens} $${total.costMicroUsd}${unknown} in ${total.turns}`,
    ...(delivered.length > 0 ? { delivered: delivered.join(' ') } : {}),
    ...(tools.length > 0 ? { tools: tools.join(' ') } : {}),
    ...(also.length > 0 ? { also: also.join(', ') } : {}),
  };
}

export function of<Kind extends AgentEvent['kind']>(events: readonly AgentEvent[], kind: Kind) {
  return events.filter((event): event is Extract<AgentEvent, { kind: Kind }> => event.kind === kind);
}
