// Rules on what happened in the world, each held against what was durable in the journal when it happened.

import type { WorldEntry } from '../world/world-entries.ts';
import { acted, receivedAnswer } from './asks/permission-rules.ts';
import { factOf, parse } from './attempts/output-rules.ts';
import {
  branchMoved,
  checkConflictFound,
  conflictFound,
  integrateOrdered,
  treeChecked,
} from './branch/branch-rules.ts';
import { workSaved, workspaceMade } from './branch/integration-rules.ts';
import { targetMoved, targetMovedByOthers } from './branch/landing-rules.ts';
import { checkEnvelopes } from './children/message-rules.ts';
import { beginsTurn, checkSpokenTo, openedWith, spentInWorld } from './spending/spending-rules.ts';
import { checkPrompt } from './tasks/prompt-rules.ts';
import { isControl, type LaunchView } from './view/attempt-view.ts';
import { blame, checkKey, type ProcessView, type View } from './view/view.ts';

type Of<Kind extends WorldEntry['kind']> = Extract<WorldEntry, { kind: Kind }>;

export function witness(view: View, entry: WorldEntry): void {
  switch (entry.kind) {
    case 'hostGone':
      for (const process of view.alive) process.vanished = true;
      for (const process of view.alive) process.alive = false;
      return view.alive.clear();
    case 'healed':
      view.healed = true;
      view.healedAt = entry.t;
      return;
    case 'spawned':
      return spawned(view, entry);
    case 'exited':
      return exited(view, entry);
    case 'vanished': {
      const process = processOf(view, entry.launchId);
      process.vanished = true;
      process.alive = false;
      view.alive.delete(process);
      return;
    }
    case 'signalled':
      return signalled(view, entry);
    case 'printed': {
      const process = processOf(view, entry.launchId);
      const fact = factOf(entry.line);
      process.lines.push({ end: entry.end, fact });
      if (fact?.kind === 'ack') beginsTurn(view, process);
      if (fact?.kind === 'call') process.calls.set(fact.requestId, fact);
      return;
    }
    case 'received':
      return received(view, entry);
    case 'workspaceMade':
      return workspaceMade(view, entry);
    case 'refSet':
      return refSet(view, entry);
    case 'integrateOrdered':
      return integrateOrdered(view, entry);
    case 'treeChecked':
      return treeChecked(view, entry);
    case 'checkConflictFound':
      return checkConflictFound(view, entry);
    case 'branchMoved':
      return branchMoved(view, entry);
    case 'conflictFound':
      return conflictFound(view, entry);
    case 'targetMoved':
      return targetMoved(view, entry);
    case 'targetMovedByOthers':
      return targetMovedByOthers(view, entry);
    case 'targetChecked':
      view.targetChecks.set(entry.commit, entry.passed);
      return;
    case 'checked':
      return checked(view, entry);
    case 'artifactStored':
      view.artifacts.set(entry.artifactId, entry);
      return;
    case 'requested':
    case 'kept':
    case 'refused':
    case 'ignored':
      return spentInWorld(view, processOf(view, entry.launchId), entry);
    case 'notified':
      view.notified.add(entry.key);
      return;
    case 'acted':
      return acted(view, entry.launchId, entry.requestId);
    case 'answering':
      if (entry.by !== undefined) noteTold(view, entry);
      view.permissionAnswers.set(entry.askId, [...(view.permissionAnswers.get(entry.askId) ?? []), entry.approved]);
      return;
    case 'ordered':
      return ordered(view, entry);
    case 'engineUp':
    case 'engineKilled':
      return engineChanged(view, entry);
  }
}

function engineChanged(view: View, { kind, engine }: Of<'engineUp' | 'engineKilled'>): void {
  const up = kind === 'engineUp';
  view.engines += up ? 1 : -1;
  view.engineChanges += 1;
  if (!up) return void view.up.delete(engine);
  if (view.up.size > 0) for (const each of [...view.up, engine]) view.beside.add(each);
  view.up.add(engine);
  view.enginesUp.set(engine, view.index);
}

function processOf(view: View, launchId: string, attemptId = '?'): ProcessView {
  const known = view.processes.get(launchId);
  if (known !== undefined) return known;
  const process: ProcessView = {
    launchId,
    attemptId,
    spawns: 0,
    alive: false,
    status: null,
    vanished: false,
    termed: false,
    killed: false,
    lines: [],
    calls: new Map(),
    received: new Set(),
    controls: 0,
    lastOrder: -1,
    cost: { told: 0, comparable: true, recordedMicroUsd: 0, results: 0 },
    braked: false,
  };
  view.processes.set(launchId, process);
  return process;
}

function spawned(view: View, { launchId, attemptId }: Of<'spawned'>): void {
  const process = processOf(view, launchId, attemptId);
  const launch = view.launches.get(launchId);
  if (launch === undefined) blame(view, 7, `${launchId} was spawned without a durable intent`);
  else if (launch.attempt.id !== attemptId) blame(view, 7, `${launchId} was spawned for ${attemptId}, not its attempt`);
  else if (launch.down !== null) blame(view, 7, `${launchId} was spawned after it was recorded as ${launch.down}`);
  if (process.spawns > 0) blame(view, 7, `${launchId} was spawned twice`);
  for (const other of view.alive) {
    if (other.attemptId === attemptId) {
      blame(view, 7, `${launchId} was spawned beside ${other.launchId}: ${attemptId} has two live processes`);
    }
  }
  process.spawns += 1;
  process.alive = true;
  view.alive.add(process);
}

function exited(view: View, { launchId, status, cause }: Of<'exited'>): void {
  const process = processOf(view, launchId);
  process.alive = false;
  process.status = status;
  view.alive.delete(process);
  if (cause === 'itself') return;
  if (view.launches.get(launchId)?.stopAsked !== true) {
    blame(view, 1, `${launchId} was ended by ${cause}, and no durable stop.asked is why`);
  }
  const asked = { word: process.controls > 0, term: process.termed, kill: process.killed }[cause];
  if (!asked) blame(view, 1, `${launchId} was ended by ${cause}, which the engine never sent`);
}

function signalled(view: View, { launchId, rung }: Of<'signalled'>): void {
  const process = processOf(view, launchId);
  const launch = view.launches.get(launchId);
  if (launch?.stopAsked !== true) {
    blame(view, 1, `${rung} was sent to ${launchId}, and no durable stop.asked is why`);
  } else if (!(rung === 'term' ? launch.termed : launch.killed)) {
    blame(view, 1, `${rung} was sent to ${launchId}, and the record does not say so`);
  }
  if (rung === 'term') process.termed = true;
  else process.killed = true;
}

function received(view: View, { launchId, record }: Of<'received'>): void {
  const launch = view.launches.get(launchId);
  if (launch === undefined) return; // Blamed when it was spawned.
  const value = parse(record);
  const process = processOf(view, launchId);
  if (value?.['type'] === 'user') return receivedRecord(view, launch, process, value);
  if (value?.['type'] === 'control_response') return receivedAnswer(view, launchId, value['response']);
  const subtype = value?.['type'] === 'control_request' ? (value['request'] as ControlRequest)?.subtype : undefined;
  if (subtype === 'initialize') return record.includes('PostToolBatch') ? openedWith(process) : undefined;
  const kind = subtype === 'interrupt' ? 'interrupt' : subtype === 'end_session' ? 'end' : null;
  if (kind === null) return blame(view, 5, `${launchId} received a record that is no message: ${record.slice(0, 80)}`);
  const id = String(value?.['request_id']);
  if (process.received.has(id)) return blame(view, 5, `${launchId} received the control record ${id} twice`);
  process.received.add(id);
  process.controls += 1;
  if (!launch.attempt.records.some((message) => message.kind === kind)) {
    blame(view, 5, `${launchId} received ${kind}, which was never queued for ${launch.attempt.agentId}`);
  }
  const named = view.messages.get(id);
  if (named !== undefined && (named.attempt !== launch.attempt || named.kind !== kind)) {
    blame(view, 5, `${launchId} received ${id} as ${kind}, which is not what was queued`);
  }
}

interface ControlRequest {
  readonly subtype?: unknown;
}

function receivedRecord(
  view: View,
  launch: LaunchView,
  process: ProcessView,
  value: Readonly<Record<string, unknown>>,
): void {
  const id = String(value['uuid']);
  const message = view.messages.get(id);
  if (message === undefined || message.attempt !== launch.attempt || isControl(message)) {
    return blame(view, 5, `${launch.id} received ${id}, which was never queued for ${launch.attempt.agentId}`);
  }
  if (process.received.has(id)) return blame(view, 5, `${launch.id} received ${id} twice`);
  if (process.received.size === 0 && !launch.resumes && message.kind !== 'prompt')
    blame(view, 5, `${launch.id} knows nothing, and is told ${id} before its task`);
  process.received.add(id);
  checkSpokenTo(view, launch, process, message);
  if (message.order < process.lastOrder) blame(view, 5, `${launch.id} received ${id} out of order`);
  process.lastOrder = message.order;
  if (message.deliveredIn !== null && message.deliveredIn !== launch) {
    blame(view, 5, `${launch.id} received ${id}, which ${message.deliveredIn.id} had taken up before`);
  }
  const said = textOf(value['message']);
  if (said !== null && message.kind === 'prompt') return checkPrompt(view, launch, id, said);
  if (said !== null && message.kind === 'messages') return checkEnvelopes(view, message, said);
  if (said !== null && message.text !== undefined && said !== message.text) {
    blame(view, 5, `${launch.id} was told something else by ${id} than was queued`);
  }
}

/** null: not of a shape we know. */
function textOf(message: unknown): string | null {
  const content = (message as { content?: unknown } | undefined)?.content;
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return null;
  return content.map((part) => (part as { text?: string }).text ?? '').join('');
}

function refSet(view: View, { attemptId, ref, commit, uncommitted = 0 }: Of<'refSet'>): void {
  view.uncommitted.set(attemptId, uncommitted);
  const attempt = view.attempts.get(attemptId);
  if (attempt === undefined || attempt.verdict === null) {
    blame(view, 2, `${ref} was set before it was durable that ${attemptId} had finished`);
  }
  for (const process of view.alive) {
    if (process.attemptId === attemptId) blame(view, 6, `${ref} was set while ${process.launchId} was still at work`);
  }
  const before = view.refs.get(ref);
  if (before !== undefined && before !== commit) blame(view, 6, `${ref} of ${attemptId} was moved off ${before}`);
  view.refs.set(ref, commit);
  workSaved(view, attemptId, commit);
}

function checked(view: View, { attemptId, commit, check, passed }: Of<'checked'>): void {
  const saved = view.attempts.get(attemptId)?.saved?.commit;
  if (saved !== commit) {
    blame(view, 4, `check ${check} of ${attemptId} was run on ${commit}, durably saved is ${saved ?? 'nothing'}`);
  }
  const key = checkKey(attemptId, check, commit);
  const runs = view.checks.get(key);
  if (runs === undefined) view.checks.set(key, [passed]);
  else runs.push(passed);
}

/** What was answered can be counted on: it must be durable by now. */
function ordered(view: View, { order, answer }: Of<'ordered'>): void {
  if (answer !== 'accepted') return;
  const { accepted, traces } = view;
  if (order.startsWith('send ')) {
    const id = order.slice('send '.length);
    accepted.send.push(id);
    if (!view.messages.has(id) && !accepted.steered.has(id))
      blame(view, 8, `${id} was accepted for sending and is in no stream`);
    return;
  }
  if (!(order in traces)) return;
  const name = order as keyof typeof traces;
  accepted[name] += 1;
  if (accepted[name] > traces[name]) blame(view, 8, `an accepted order to ${order} left no trace in the journal`);
}

function noteTold(view: View, { askId, approved, by = '', choice = null, values = {} }: Of<'answering'>): void {
  view.askAnswers.set(askId, [...(view.askAnswers.get(askId) ?? []), { by, approved, choice, values }]);
}
