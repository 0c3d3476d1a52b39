// Simulated agents: what a process does with its input. Most are good; the others are each a way in which real
// agents went wrong.

import { assert } from '../../../src/std/assert.ts';
import { threadLine } from '../world/threaded-harness.ts';
import type { Memory, SimProcess, World } from '../world/world.ts';
import { type CallAnswer, createChildren } from './agent-children.ts';
import { drawOutput } from './agent-output.ts';
import { createSpending, type SpendingEnd } from './agent-spending.ts';
import { hearOfTeams, noTeams } from './team-calls.ts';

export const behaviours = [
  'good',
  'crashes',
  'endsSilently',
  'endsByItself',
  'hangs',
  'hangsInTool',
  'goesSilent',
  'deaf',
  'stubborn',
  'fails',
  'refuses',
  'saysItTwice',
  'talksNonsense',
  'hoards',
  'floods',
  'asks',
  'muddles',
  'ignoresBrake',
] as const;

export type Behaviour = (typeof behaviours)[number];

export interface SimAgent {
  readonly behaviour: Behaviour;
  /** It makes calls of our tools. */
  readonly calls: boolean;
  /** There is more in `in`. */
  poke(): void;
  term(): void;
}

export interface Character {
  readonly home: string;
  readonly behaviour: Behaviour;
  /** The name of the schema that its output is held to; null = it has none to give. */
  readonly output: string | null;
  /** Which line to the model's service it is on, and what it asks for there. */
  readonly line: string;
  readonly model: string;
  /** It makes calls of our tools, and of those of teams. */
  readonly calls: boolean;
  readonly teams: boolean;
  /** It writes many long messages at once. */
  readonly isChatty: boolean;
  readonly isWaiting: boolean;
  /** It hands out thread ids, and reads only records that carry one. */
  readonly threads: boolean;
  /** It is to go on with its session. */
  readonly resumes: boolean;
}

export function createAgent(world: World, process: SimProcess, character: Character): SimAgent {
  const { scheduler, chance } = world;
  const { calls, resumes } = character;
  const isGone = world.homes.get(character.home)?.gone === true;
  if (resumes && (isGone || (calls && world.faulty && chance.hit(0.1))))
    return createForgetful(world, process, character);
  if (isGone) world.homes.delete(character.home);
  const { home, behaviour } = character;
  const remembered = world.homes.get(home) ?? newMemory(process, character);
  world.homes.set(home, remembered);
  remembered.silent = behaviour === 'goesSilent' || behaviour === 'hangsInTool';
  const queue: string[] = [];
  let busy = false;
  let asked = 0;
  /** What it waits for a person's answer to. */
  const open = new Set<string>();
  /** Calls that were answered and have no result yet, and how often all of it was broken off. */
  let acting = 0;
  let brokenOff = 0;
  let threads = 0;
  const handOut = (): void => {
    if (!character.threads) return;
    threads += 1;
    say(threadLine(`${process.launchId}-${threads}`, remembered.session));
  };
  const say = (message: unknown): void => world.print(process, JSON.stringify(message));
  const later = (action: () => void): void => {
    const act = (): void => {
      if (process.state !== 'alive') return;
      if (process.frozen) scheduler.after(1_000, act);
      else action();
    };
    scheduler.after(chance.int(1, 4_000), act);
  };

  const { line, model } = character;
  const ignores = behaviour === 'ignoresBrake';
  const spending = createSpending(world, process, { home, line, model, ignores, say, later });
  const { spawning: memory } = remembered;
  const readInput = (): void => {
    while (queue.length > 0 && chance.hit(0.5)) say({ type: 'user', isReplay: true, uuid: queue.shift() });
  };
  const spawning = createChildren(world, process, { memory, output: character.output, say, later, readInput });

  const result = (isError: boolean, extra: object = {}): void => {
    say({
      type: 'result',
      subtype: 'success',
      is_error: isError,
      result: chance.hit(0.05) ? 'x'.repeat(5_000) : 'done',
      ...spending.told(),
      ...drawOutput(chance, character.output, remembered.given, behaviour === 'muddles'),
      ...extra,
    });
  };

  const work = (): void => spending.spend(chance.int(1, 3), endTurn);
  const callFirst = (): void => spawning.call((goOn) => (goOn ? work() : endTurn({ kind: 'stopped' })));
  const endTurn = (how: SpendingEnd): void => {
    busy = false;
    if (how.kind !== 'done') {
      result(how.kind === 'refused', how.kind === 'refused' ? { api_error_status: how.by.status } : hookStopped);
      return next();
    }
    switch (behaviour) {
      case 'fails':
        result(true, { api_error_status: 429 });
        break;
      case 'refuses':
        result(true, { api_error_status: 401 });
        break;
      case 'saysItTwice':
        result(false);
        result(false);
        break;
      default:
        result(false);
    }
    if (behaviour === 'endsByItself') return later(() => world.exit(process, chance.pick([0, 0, 1]), 'itself'));
    next();
  };

  const ask = (): void => {
    asked += 1;
    // Sometimes two things at once.
    for (const suffix of chance.hit(0.3) ? ['a', 'b'] : ['']) {
      const id = `ask-${process.launchId}-${asked}${suffix}`;
      open.add(id);
      const input = { command: `rm ${asked}${suffix}` };
      const request = { subtype: 'can_use_tool', tool_name: 'Bash', input, tool_use_id: `call-${id}` };
      say({ type: 'control_request', request_id: id, request });
    }
    // And sometimes it thinks better of it, and goes on by itself.
    if (chance.hit(0.1)) later(() => (open.size > 0 && acting === 0 ? goOnWithout() : undefined));
  };

  const goOnWithout = (): void => {
    withdraw();
    later(work);
  };

  const withdraw = (): void => {
    for (const id of open) say({ type: 'control_cancel_request', request_id: id });
    open.clear();
  };

  const hearAnswer = ({ response }: Heard): void => {
    const id = response?.request_id ?? '';
    if (response === undefined || !open.delete(id)) return;
    if (response.response?.behavior === 'allow') {
      world.note({ kind: 'acted', launchId: process.launchId, requestId: response.request_id });
    }
    acting += 1;
    const before = brokenOff;
    later(() => {
      acting -= 1;
      say({ type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: `call-${id}`, content: 'ok' }] } });
      if (open.size > 0 || acting > 0 || before !== brokenOff) return;
      if (asked < 3 && chance.hit(0.3)) later(ask);
      else later(work);
    });
  };

  const breakOff = (): void => {
    if (open.size > 0) withdraw();
    else if (spending.breakOff() || spawning.breakOff()) result(true, aborted);
    else return;
    brokenOff += 1;
    busy = false;
  };

  const next = (): void => {
    if (busy || process.state !== 'alive') return;
    const uuid = queue.shift();
    if (uuid === undefined) return;
    busy = true;
    handOut();
    say({ type: 'system', subtype: 'init', session_id: remembered.session, model });
    say({ type: 'user', isReplay: true, uuid });
    if (behaviour === 'talksNonsense') for (const text of ['{"type":', 'null', '[]', '']) world.print(process, text);
    if (behaviour === 'floods') for (let i = 0; i < 30; i++) world.print(process, 'x'.repeat(3_000));
    if (behaviour === 'hangsInTool') say({ type: 'assistant', message: { content: [openCall] } });
    if (silent.has(behaviour)) return;
    if (dying.has(behaviour)) spending.spend(9, () => undefined);
    if (behaviour === 'crashes') return later(() => world.exit(process, chance.pick([1, 134, 137, 139]), 'itself'));
    if (behaviour === 'endsSilently') return later(() => world.exit(process, 0, 'itself'));
    later(behaviour === 'asks' ? ask : character.calls ? callFirst : work);
  };

  return {
    behaviour,
    calls,
    poke() {
      for (const record of takeRecords(process)) {
        world.note({ kind: 'received', launchId: process.launchId, record });
        const message = JSON.parse(record) as Heard;
        if (message.request?.subtype === 'initialize' && behaviour !== 'hangs') later(handOut);
        if (message.type === 'user' || message.request?.subtype === 'interrupt')
          checkThread(process, character, message);
        if (message.type === 'user') {
          queue.push(message.uuid);
          remembered.given = givenIn(message) ?? remembered.given;
          hearOfTeams(memory.teams, message.message?.content ?? '');
        }
        if (message.type === 'control_response') {
          hearAnswer(message);
          spending.hear(message.response?.request_id, message.response?.response);
          spawning.hear(message.response?.request_id, message.response?.response);
        }
        if (message.request?.hooks?.['PostToolUse'] !== undefined) spawning.park();
        if (message.request?.hooks?.['PostToolBatch'] !== undefined) spending.brake();
        if (message.request?.subtype === 'interrupt') breakOff();
        if (behaviour === 'hangs' || behaviour === 'deaf' || behaviour === 'stubborn') continue;
        if (message.request?.subtype === 'end_session') return later(() => world.exit(process, 0, 'word'));
      }
      next();
    },
    term() {
      if (behaviour === 'hangs' || behaviour === 'stubborn') return;
      later(() => world.exit(process, 143, 'term'));
    },
  };
}

/** It has no session of that name any more, says so, and ends. */
function createForgetful(world: World, process: SimProcess, { home, behaviour }: Character): SimAgent {
  const memory = world.homes.get(home);
  if (memory !== undefined) Object.assign(memory, { gone: true, record: '' });
  const errors = ['No conversation found with session ID: lost'];
  world.scheduler.after(world.chance.int(1, 500), () => {
    world.print(process, JSON.stringify({ type: 'result', subtype: 'error_during_execution', is_error: true, errors }));
    world.exit(process, 1, 'itself');
  });
  return { behaviour, calls: true, poke: () => undefined, term: () => world.exit(process, 143, 'term') };
}

/** They print nothing more in their turn. Some of them can be asked to end. */
const silent: ReadonlySet<Behaviour> = new Set(['hangs', 'hangsInTool', 'goesSilent', 'hoards', 'floods']);

/** They end in the middle of their turn. */
const dying: ReadonlySet<Behaviour> = new Set(['crashes', 'endsSilently']);

/** How a turn ends that a hook stopped, and one that was interrupted. */
const hookStopped = {
  result: '',
  stop_reason: 'tool_use',
  terminal_reason: 'hook_stopped',
  structured_output: undefined,
};
const aborted = { subtype: 'error_during_execution', terminal_reason: 'aborted_tools', structured_output: undefined };

const openCall = { type: 'tool_use', id: 'call', name: 'Bash', input: { command: 'sleep 99' } };

function newMemory({ launchId, attemptId }: SimProcess, { teams, isChatty, isWaiting }: Character): Memory {
  const isChild = /o\d+-\d+$/.test(attemptId);
  const spawning = { calls: 0, children: [], last: null, isChild, isChatty, isWaiting, teams: noTeams(teams) };
  return { session: `session-${launchId}`, given: [], record: '', spawning };
}

/** The ids of what a prompt gives it to account for; null = it says nothing of that. */
function givenIn({ message }: Heard): readonly string[] | null {
  const text = message?.content ?? '';
  if (!text.includes('## Inputs')) return null;
  return Array.from(text.matchAll(/^### (artifact_\S+), from task/gm), ([, id]) => id as string);
}

/** Of the ids that were handed out any will do: another may be on its way. */
function checkThread({ launchId }: SimProcess, { threads }: Character, { thread }: Heard): void {
  if (!threads) return assert(thread === undefined, `${launchId} was told of a thread`);
  assert(
    thread?.startsWith(`${launchId}-`) === true,
    `${launchId} was told something without an id that it handed out`,
  );
}

interface Heard {
  readonly thread?: string;
  readonly type: string;
  readonly message?: { readonly content?: string };
  readonly uuid: string;
  readonly request?: { readonly subtype: string; readonly hooks?: Readonly<Record<string, unknown>> };
  readonly response?: {
    readonly request_id: string;
    readonly response?: { readonly behavior?: string } & CallAnswer;
  };
}

/** Whole records only: a torn one waits for the rest. */
function takeRecords(process: SimProcess): string[] {
  const end = process.input.lastIndexOf('\n') + 1;
  const fresh = process.input.slice(process.taken, end);
  process.taken = end;
  return fresh === ''
    ? []
    : fresh
        .slice(0, -1)
        .split('\n')
        .map((record) => `${record}\n`);
}
