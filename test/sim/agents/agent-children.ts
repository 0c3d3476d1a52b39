// Tool calls of simulated agents: spawns, messages, waits, claims, questions to a person. They make calls one by one and
// several at once, repeat some, and make some that are impossible.

import type { SimProcess, World } from '../world/world.ts';
import { drawCall, type SimCall } from './child-calls.ts';
import { hearOfTeams, type TeamMemory } from './team-calls.ts';

export interface Children {
  /** Makes calls, round after round; `end`: whether the turn goes on after them. */
  call(end: (goOn: boolean) => void): void;
  hear(requestId: string | undefined, answer: CallAnswer | undefined): void;
  /** After tools that end a turn it asks whether it goes on. */
  park(): void;
  /** The turn is broken off; false = there is no call under way. */
  breakOff(): boolean;
}

export interface CallAnswer {
  readonly continue?: boolean;
  readonly mcp_response?: { readonly result?: { readonly content?: readonly { readonly text?: string }[] } };
}

/** What an agent remembers of its calls, from one process to the next. */
export interface ChildrenMemory {
  calls: number;
  /** The names of its children. */
  children: string[];
  last: SimCall | null;
  /** It was spawned by another agent of its run. */
  readonly isChild: boolean;
  readonly isChatty: boolean;
  /** It waits for the first task of its plan before it does much else. */
  readonly isWaiting: boolean;
  readonly teams: TeamMemory;
}

export interface Caller {
  readonly memory: ChildrenMemory;
  /** The schema of its own output: its children may have the same. */
  readonly output: string | null;
  readonly say: (message: unknown) => void;
  readonly later: (action: () => void) => void;
  /** Takes up what was said to it, between two rounds. */
  readonly readInput: () => void;
}

/** More than this an agent does not ask in its life, so that every run comes to its end. */
const callsMax = 16;

export function createChildren(world: World, process: SimProcess, caller: Caller): Children {
  const { chance } = world;
  const { memory, say, later } = caller;
  const { launchId } = process;
  let parks = false;
  let requests = 0;
  let turn = 0;
  const open = new Map<string, SimCall>();
  const hooks = new Set<string>();
  let goesOn = true;
  let next: (() => void) | null = null;

  const send = (call: SimCall): void => {
    requests += 1;
    const requestId = `call-${launchId}-${requests}`;
    open.set(requestId, call);
    const _meta = call.id === null ? {} : { 'claudecode/toolUseId': call.id };
    const params = { name: call.tool, arguments: call.input, _meta };
    const message = { jsonrpc: '2.0', ...(call.rpc ? { id: requests } : {}), method: call.method, params };
    say({
      type: 'control_request',
      request_id: requestId,
      request: { subtype: 'mcp_message', server_name: 'signalbox', message },
    });
  };

  const ask = (): void => {
    requests += 1;
    const requestId = `after-${launchId}-${requests}`;
    hooks.add(requestId);
    const input = { hook_event_name: 'PostToolUse' };
    const request = { subtype: 'hook_callback', callback_id: 'after-tool', input };
    say({ type: 'control_request', request_id: requestId, request });
  };

  const round = (left: number, end: (goOn: boolean) => void): void => {
    if (left === 0 || memory.calls >= callsMax) return end(true);
    const own = turn;
    const calls = drawRound();
    goesOn = true;
    next = () => {
      if (own !== turn) return;
      caller.readInput();
      if (goesOn) later(() => own === turn && round(left - 1, end));
      else end(false);
    };
    calls.forEach(send);
    if (world.faulty && chance.hit(0.03)) later(() => world.exit(process, chance.pick([0, 1, 137]), 'itself'));
  };

  /** Now and then the same to the same, as one that says all it has. */
  const drawRound = (): SimCall[] => {
    const calls = Array.from({ length: chance.pick([1, 1, 1, 2, 3]) }, () => drawNext());
    const [first] = calls;
    const { isChatty } = memory;
    if (first?.tool !== 'send_message' || first.id === null || !chance.hit(isChatty ? 0.9 : 0.3)) return calls;
    const isLong = chance.hit(isChatty ? 0.8 : 0.2);
    const long = isLong ? { input: { ...(first.input as object), text: 'long '.repeat(600) } } : {};
    const length = chance.int(isChatty ? 10 : 2, 14);
    return Array.from({ length }, (_, i) => ({ ...first, ...long, id: `${first.id}-${i}` }));
  };

  const drawNext = (): SimCall => {
    const again = memory.last !== null && chance.hit(0.1) ? memory.last : null;
    const call = again ?? drawCall(world, memory, `use-${launchId}-${requests}-${memory.calls}`, caller.output);
    memory.calls += 1;
    memory.last = call;
    return call;
  };

  const goOn = (): void => {
    if (open.size > 0 || hooks.size > 0 || next === null) return;
    const then = next;
    next = null;
    later(then);
  };

  return {
    call(end) {
      turn += 1;
      round(chance.pick(memory.teams.wanted ? [1, 2, 3, 4, 5] : [0, 1, 1, 2, 2, 3]), end);
    },
    hear(requestId = '', answer) {
      const call = open.get(requestId);
      if (hooks.delete(requestId)) goesOn &&= answer?.continue !== false;
      else if (call === undefined) return;
      else {
        open.delete(requestId);
        const text = answer?.mcp_response?.result?.content?.[0]?.text ?? '';
        const name = /^Agent "(.*)" is on its way/.exec(text)?.[1];
        if (name !== undefined && !memory.children.includes(name)) memory.children.push(name);
        if (name !== undefined) world.names.add(name);
        hearOfTeams(memory.teams, text);
        if (parks && call.parks) ask();
      }
      goOn();
    },
    park() {
      parks = true;
    },
    breakOff() {
      const waited = next !== null;
      turn += 1;
      next = null;
      open.clear();
      hooks.clear();
      return waited;
    },
  };
}
