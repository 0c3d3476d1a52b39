// What an agent's lines mean, and whether the journal's facts are exactly those of the lines it says it read.

import { checkNoneUndone } from '../children/children-rules.ts';
import type { UsageData } from '../spending/amounts.ts';
import { compareOutputs } from '../tasks/typed-output-rules.ts';
import { type AttemptView, isControl, type LaunchView, noneHeard } from '../view/attempt-view.ts';
import { agentChildren } from '../view/children-view.ts';
import type { CallLine, Fact, ResultLine } from '../view/event-data.ts';
import { blame, type View } from '../view/view.ts';

const turnTextMax = 2_000;

/** null: noise. */
export function factOf(line: string): Fact | null {
  // Most lines are noise: parse only those that can matter.
  if (!/"(?:result|isReplay|init|can_use_tool|hook_callback|mcp_message)"/.test(line)) return null;
  const value = parse(line);
  if (value === null) return null;
  switch (value['type']) {
    case 'system': {
      const session = value['session_id'];
      return value['subtype'] === 'init' && typeof session === 'string' ? { kind: 'session', session } : null;
    }
    case 'user': {
      const recordId = value['uuid'];
      return value['isReplay'] === true && typeof recordId === 'string' ? { kind: 'ack', recordId } : null;
    }
    case 'control_request': {
      const { subtype, message } = value['request'] as { subtype?: unknown; message?: Rpc };
      if (subtype === 'mcp_message') return callOf(String(value['request_id']), message);
      return { kind: subtype === 'hook_callback' ? 'round' : 'asked', requestId: String(value['request_id']) };
    }
    case 'result':
      return { kind: 'result', result: resultOf(value) };
    default:
      return null;
  }
}

interface Rpc {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: { readonly name?: unknown; readonly _meta?: Readonly<Record<string, unknown>> };
}

/** null: no call of a tool. */
function callOf(requestId: string, { id, method, params }: Rpc = {}): Fact | null {
  if ((typeof id !== 'string' && typeof id !== 'number') || method !== 'tools/call') return null;
  const own = params?._meta?.['claudecode/toolUseId'];
  const callId = typeof own === 'string' ? own : requestId;
  return { kind: 'call', requestId, rpcId: id, callId, tool: String(params?.name) };
}

function resultOf(value: Record<string, unknown>): ResultLine {
  const { is_error: isError, subtype, result, usage, total_cost_usd: cost, structured_output: output } = value;
  const plain = typeof isError === 'boolean' && (isError || subtype === undefined || subtype === 'success');
  return {
    isError: plain ? isError : null,
    text: typeof result === 'string' ? result : null,
    tokens: typeof usage === 'object' && usage !== null ? tokensOf(usage as Record<string, unknown>) : null,
    costUsd: typeof cost === 'number' ? cost : null,
    output,
  };
}

const tokenFields = ['input_tokens', 'output_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'];

/** null if it is not a whole number: then it is unknown what ought to be recorded. */
function tokensOf(usage: Record<string, unknown>): (number | null)[] {
  return tokenFields.map((field) => {
    const value = usage[field];
    if (value === undefined) return 0;
    return Number.isSafeInteger(value) ? (value as number) : null;
  });
}

/** The journal says that it read this launch up to `to`: compares the recorded facts with what was printed. */
export function checkRead(view: View, launch: LaunchView, to: number | undefined): void {
  const { attempt } = launch;
  const lines = view.processes.get(launch.id)?.lines ?? [];
  const silent = to === launch.offset && isNothing(attempt.heard);
  if (to === undefined || (to <= launch.offset && !silent)) {
    return blame(view, 1, `the offset of ${launch.id} went from ${launch.offset} to ${to}`);
  }
  const facts: Fact[] = [];
  let end = launch.offset;
  for (; ; launch.linesRead++) {
    const line = lines[launch.linesRead];
    if (line === undefined || line.end > to) break;
    end = line.end;
    if (line.fact !== null) facts.push(line.fact);
  }
  if (end !== to) blame(view, 1, `${launch.id} was read to ${to}, where no line that it has printed ends`);
  launch.offset = to;
  compareFacts(view, launch, facts);
  attempt.heard = noneHeard();
}

/** The launch is over: nothing that it printed may be missing. */
export function checkAllRead(view: View, launch: LaunchView): void {
  const lines = view.processes.get(launch.id)?.lines ?? [];
  const unread = lines.slice(launch.linesRead).filter((line) => line.fact !== null).length;
  if (unread > 0) blame(view, 1, `${unread} lines of ${launch.id} that change state were never read`);
  const { delivered, usages, turns, asked, rounds } = launch.attempt.heard;
  const unfounded = delivered.length + usages.length + turns.length + asked.length + rounds.length;
  if (unfounded > 0) blame(view, 1, `${unfounded} facts of ${launch.id} were recorded without reading its output`);
  launch.attempt.heard = noneHeard();
  compareCost(view, launch);
}

/** Its session's own record may tell something when no line does. */
function isNothing(heard: AttemptView['heard']): boolean {
  return Object.values(heard).every((facts) => facts.length === 0);
}

function compareFacts(view: View, launch: LaunchView, facts: readonly Fact[]): void {
  const { attempt } = launch;
  const results: ResultLine[] = [];
  const acked = new Set<string>();
  const asked = new Set<string>();
  const rounds: string[] = [];
  const calls: CallLine[] = [];
  let session: string | null = null;
  for (const fact of facts) {
    if (fact.kind === 'result') results.push(fact.result);
    else if (fact.kind === 'ack') acked.add(fact.recordId);
    else if (fact.kind === 'round') rounds.push(fact.requestId);
    else if (fact.kind === 'call') calls.push(fact);
    else if (fact.kind === 'asked') asked.add(fact.requestId);
    else if (fact.kind === 'session') session = fact.session;
  }
  if (session !== null && attempt.session !== session) {
    blame(view, 1, `${launch.id} told its session ${session}, recorded is ${attempt.session}`);
  }
  compareLandings(view, launch, acked);
  compareTurns(view, launch, results);
  for (const id of attempt.heard.asked) {
    if (!asked.has(id)) blame(view, 7, `${launch.id} never asked what a permission says it asked: ${id}`);
  }
  if (rounds.join() !== attempt.heard.rounds.join()) {
    blame(view, 8, `${launch.id} asks ${rounds.join()} and waits, answered are ${attempt.heard.rounds.join()}`);
  }
  compareCalls(view, launch, calls);
  compareUsages(view, launch, results);
  compareOutputs(view, launch, results);
}

/** Every call is answered once and recorded once: a repeated call gets the same answer. */
function compareCalls(view: View, launch: LaunchView, calls: readonly CallLine[]): void {
  const { heard, agentId } = launch.attempt;
  checkNoneUndone(view, launch.attempt);
  if (calls.length !== heard.calls.length)
    return blame(view, 8, `${launch.id} makes ${calls.length} calls, answered are ${heard.calls.length}`);
  const told = [...heard.answered];
  calls.forEach(({ requestId, rpcId, callId, tool }, i) => {
    const answer = heard.calls[i];
    if (answer?.requestId !== requestId || answer.rpcId !== rpcId)
      return blame(view, 8, `${requestId} of ${launch.id} is answered as ${answer?.requestId}`);
    if (told[0] === callId) return void told.shift();
    const before = agentChildren(view, agentId).calls.get(`${callId} ${tool}`);
    if (before === undefined) blame(view, 2, `${callId} of ${launch.id} is answered, and not in the record`);
    else if (answer.text !== before.text || answer.isError !== before.isError)
      blame(view, 7, `${callId} of ${launch.id} is answered otherwise than before`);
  });
  if (told.length > 0) blame(view, 1, `${told.join()} is recorded as a call that ${launch.id} never made`);
}

function compareLandings(view: View, launch: LaunchView, acked: ReadonlySet<string>): void {
  const { heard, records } = launch.attempt;
  for (const id of heard.delivered) {
    if (!acked.has(id)) blame(view, 1, `${id} is recorded as delivered, ${launch.id} never acknowledged it`);
  }
  for (const id of acked) {
    const message = records.find((each) => each.id === id);
    if (message !== undefined && message.deliveredIn === null && !isControl(message)) {
      blame(view, 1, `${launch.id} acknowledged ${id}, which is not recorded as delivered`);
    }
  }
}

function compareTurns(view: View, launch: LaunchView, results: readonly ResultLine[]): void {
  const { turns } = launch.attempt.heard;
  if (turns.length !== results.length) {
    return blame(view, 1, `${launch.id} ended ${results.length} turns, recorded are ${turns.length}`);
  }
  results.forEach(({ isError, text }, i) => {
    const turn = turns[i];
    if (turn === undefined) return;
    if (isError === true && turn.kind === 'ok') blame(view, 3, `a failed turn of ${launch.id} is recorded as ok`);
    if (isError === false && turn.kind !== 'ok') blame(view, 3, `an ok turn of ${launch.id} is recorded as failed`);
    if (turn.kind !== 'ok' || text === null) return;
    if (turn.cut === true ? text.length <= turnTextMax : turn.text !== text) {
      blame(view, 5, `the text of a turn of ${launch.id} is not what the agent said, and no cut is marked`);
    }
  });
}

function compareUsages(view: View, launch: LaunchView, results: readonly ResultLine[]): void {
  const { usages } = launch.attempt.heard;
  const told = results.filter(({ tokens }) => tokens !== null);
  const unnotified = results.length - told.length;
  if (usages.length < told.length || usages.length > results.length) {
    return blame(view, 1, `${launch.id} told ${told.length} usages, recorded are ${usages.length}`);
  }
  if (unnotified > 0) return;
  const cost = view.processes.get(launch.id)?.cost;
  told.forEach(({ tokens, costUsd }, i) => {
    const usage = usages[i];
    if (usage === undefined) return;
    const recorded = [usage.inputTokens, usage.outputTokens, usage.cacheReadTokens, usage.cacheWriteTokens];
    if (tokens?.some((count, field) => count !== null && count !== recorded[field])) {
      blame(view, 1, `${launch.id} used ${tokens.join('/')} tokens, recorded are ${recorded.join('/')}`);
    }
    checkKnown(view, launch, usage, costUsd);
    if (cost === undefined) return;
    cost.results += 1;
    if (costUsd === null || usage.costMicroUsd === null || costUsd < cost.told) cost.comparable = false;
    cost.told = costUsd ?? cost.told;
    cost.recordedMicroUsd += usage.costMicroUsd ?? 0;
  });
}

function checkKnown(view: View, launch: LaunchView, usage: UsageData, costUsd: number | null): void {
  if (costUsd === null && usage.costMicroUsd !== null) {
    blame(view, 9, `a cost that ${launch.id} did not tell is recorded as ${usage.costMicroUsd}`);
  }
  if (costUsd !== null && costUsd >= 0 && usage.costMicroUsd === null) {
    blame(view, 1, `a cost that ${launch.id} told is recorded as unknown`);
  }
}

/** Told costs are cumulative: the recorded parts must add up to the last one, but for rounding. */
function compareCost(view: View, launch: LaunchView): void {
  const cost = view.processes.get(launch.id)?.cost;
  if (cost === undefined || !cost.comparable || cost.results === 0) return;
  if (Math.abs(cost.recordedMicroUsd - cost.told * 1e6) > cost.results) {
    blame(view, 1, `${launch.id} cost ${cost.told} USD, recorded are ${cost.recordedMicroUsd} millionths`);
  }
}

export function checkTurnText(view: View, attempt: AttemptView, text: string | undefined): void {
  if (text !== undefined && text.length > turnTextMax) {
    blame(view, 5, `a turn of ${attempt.id} carries ${text.length} characters into the journal`);
  }
}

export function parse(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
