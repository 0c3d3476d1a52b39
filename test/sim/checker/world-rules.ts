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
import { blame, checkKey, isControl, type LaunchView, type ProcessView, type Scene } from './view/view.ts';

type Of<Kind extends WorldEntry['kind']> = Extract<WorldEntry, { kind: Kind }>;

export function witness(scene: Scene, entry: WorldEntry): void {
  switch (entry.kind) {
    case 'hostGone':
      for (const process of scene.alive) process.vanished = true;
      for (const process of scene.alive) process.alive = false;
      return scene.alive.clear();
    case 'healed':
      scene.healed = true;
      scene.healedAt = entry.t;
      return;
    case 'spawned':
      return spawned(scene, entry);
    case 'exited':
      return exited(scene, entry);
    case 'vanished': {
      const process = processOf(scene, entry.launchId);
      process.vanished = true;
      process.alive = false;
      scene.alive.delete(process);
      return;
    }
    case 'signalled':
      return signalled(scene, entry);
    case 'printed': {
      const process = processOf(scene, entry.launchId);
      const fact = factOf(entry.line);
      process.lines.push({ end: entry.end, fact });
      if (fact?.kind === 'ack') beginsTurn(scene, process);
      if (fact?.kind === 'call') process.calls.set(fact.requestId, fact);
      return;
    }
    case 'received':
      return received(scene, entry);
    case 'workspaceMade':
      return workspaceMade(scene, entry);
    case 'refSet':
      return refSet(scene, entry);
    case 'integrateOrdered':
      return integrateOrdered(scene, entry);
    case 'treeChecked':
      return treeChecked(scene, entry);
    case 'checkConflictFound':
      return checkConflictFound(scene, entry);
    case 'branchMoved':
      return branchMoved(scene, entry);
    case 'conflictFound':
      return conflictFound(scene, entry);
    case 'targetMoved':
      return targetMoved(scene, entry);
    case 'targetMovedByOthers':
      return targetMovedByOthers(scene, entry);
    case 'targetChecked':
      scene.targetChecks.set(entry.commit, entry.passed);
      return;
    case 'checked':
      return checked(scene, entry);
    case 'artifactStored':
      scene.artifacts.set(entry.artifactId, entry);
      return;
    case 'requested':
    case 'kept':
    case 'refused':
    case 'ignored':
      return spentInWorld(scene, processOf(scene, entry.launchId), entry);
    case 'notified':
      scene.notified.add(entry.key);
      return;
    case 'acted':
      return acted(scene, entry.launchId, entry.requestId);
    case 'answering':
      if (entry.by !== undefined) noteTold(scene, entry);
      scene.answered.set(entry.askId, [...(scene.answered.get(entry.askId) ?? []), entry.approved]);
      return;
    case 'ordered':
      return ordered(scene, entry);
    case 'engineUp':
    case 'engineKilled':
      return engineChanged(scene, entry);
  }
}

function engineChanged(scene: Scene, { kind, engine }: Of<'engineUp' | 'engineKilled'>): void {
  const up = kind === 'engineUp';
  scene.engines += up ? 1 : -1;
  scene.engineChanges += 1;
  if (!up) return void scene.up.delete(engine);
  if (scene.up.size > 0) for (const each of [...scene.up, engine]) scene.beside.add(each);
  scene.up.add(engine);
  scene.enginesUp.set(engine, scene.index);
}

function processOf(scene: Scene, launchId: string, attemptId = '?'): ProcessView {
  const known = scene.processes.get(launchId);
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
  scene.processes.set(launchId, process);
  return process;
}

function spawned(scene: Scene, { launchId, attemptId }: Of<'spawned'>): void {
  const process = processOf(scene, launchId, attemptId);
  const launch = scene.launches.get(launchId);
  if (launch === undefined) blame(scene, 7, `${launchId} was spawned without a durable intent`);
  else if (launch.attempt.id !== attemptId)
    blame(scene, 7, `${launchId} was spawned for ${attemptId}, not its attempt`);
  else if (launch.down !== null) blame(scene, 7, `${launchId} was spawned after it was recorded as ${launch.down}`);
  if (process.spawns > 0) blame(scene, 7, `${launchId} was spawned twice`);
  for (const other of scene.alive) {
    if (other.attemptId === attemptId) {
      blame(scene, 7, `${launchId} was spawned beside ${other.launchId}: ${attemptId} has two live processes`);
    }
  }
  process.spawns += 1;
  process.alive = true;
  scene.alive.add(process);
}

function exited(scene: Scene, { launchId, status, cause }: Of<'exited'>): void {
  const process = processOf(scene, launchId);
  process.alive = false;
  process.status = status;
  scene.alive.delete(process);
  if (cause === 'itself') return;
  if (scene.launches.get(launchId)?.stopAsked !== true) {
    blame(scene, 1, `${launchId} was ended by ${cause}, and no durable stop.asked is why`);
  }
  const asked = { word: process.controls > 0, term: process.termed, kill: process.killed }[cause];
  if (!asked) blame(scene, 1, `${launchId} was ended by ${cause}, which the engine never sent`);
}

function signalled(scene: Scene, { launchId, rung }: Of<'signalled'>): void {
  const process = processOf(scene, launchId);
  const launch = scene.launches.get(launchId);
  if (launch?.stopAsked !== true) {
    blame(scene, 1, `${rung} was sent to ${launchId}, and no durable stop.asked is why`);
  } else if (!(rung === 'term' ? launch.termed : launch.killed)) {
    blame(scene, 1, `${rung} was sent to ${launchId}, and the record does not say so`);
  }
  if (rung === 'term') process.termed = true;
  else process.killed = true;
}

function received(scene: Scene, { launchId, record }: Of<'received'>): void {
  const launch = scene.launches.get(launchId);
  if (launch === undefined) return; // Blamed when it was spawned.
  const value = parse(record);
  const process = processOf(scene, launchId);
  if (value?.['type'] === 'user') return receivedRecord(scene, launch, process, value);
  if (value?.['type'] === 'control_response') return receivedAnswer(scene, launchId, value['response']);
  const subtype = value?.['type'] === 'control_request' ? (value['request'] as ControlRequest)?.subtype : undefined;
  if (subtype === 'initialize') return record.includes('PostToolBatch') ? openedWith(process) : undefined;
  const kind = subtype === 'interrupt' ? 'interrupt' : subtype === 'end_session' ? 'end' : null;
  if (kind === null) return blame(scene, 5, `${launchId} received a record that is no message: ${record.slice(0, 80)}`);
  const id = String(value?.['request_id']);
  if (process.received.has(id)) return blame(scene, 5, `${launchId} received the control record ${id} twice`);
  process.received.add(id);
  process.controls += 1;
  if (!launch.attempt.records.some((message) => message.kind === kind)) {
    blame(scene, 5, `${launchId} received ${kind}, which was never queued for ${launch.attempt.agentId}`);
  }
  const named = scene.messages.get(id);
  if (named !== undefined && (named.attempt !== launch.attempt || named.kind !== kind)) {
    blame(scene, 5, `${launchId} received ${id} as ${kind}, which is not what was queued`);
  }
}

interface ControlRequest {
  readonly subtype?: unknown;
}

function receivedRecord(
  scene: Scene,
  launch: LaunchView,
  process: ProcessView,
  value: Readonly<Record<string, unknown>>,
): void {
  const id = String(value['uuid']);
  const message = scene.messages.get(id);
  if (message === undefined || message.attempt !== launch.attempt || isControl(message)) {
    return blame(scene, 5, `${launch.id} received ${id}, which was never queued for ${launch.attempt.agentId}`);
  }
  if (process.received.has(id)) return blame(scene, 5, `${launch.id} received ${id} twice`);
  if (process.received.size === 0 && !launch.resumes && message.kind !== 'prompt')
    blame(scene, 5, `${launch.id} knows nothing, and is told ${id} before its task`);
  process.received.add(id);
  checkSpokenTo(scene, launch, process, message);
  if (message.order < process.lastOrder) blame(scene, 5, `${launch.id} received ${id} out of order`);
  process.lastOrder = message.order;
  if (message.deliveredIn !== null && message.deliveredIn !== launch) {
    blame(scene, 5, `${launch.id} received ${id}, which ${message.deliveredIn.id} had taken up before`);
  }
  const said = textOf(value['message']);
  if (said !== null && message.kind === 'prompt') return checkPrompt(scene, launch, id, said);
  if (said !== null && message.kind === 'messages') return checkEnvelopes(scene, message, said);
  if (said !== null && message.text !== undefined && said !== message.text) {
    blame(scene, 5, `${launch.id} was told something else by ${id} than was queued`);
  }
}

/** null: not of a shape we know. */
function textOf(message: unknown): string | null {
  const content = (message as { content?: unknown } | undefined)?.content;
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return null;
  return content.map((part) => (part as { text?: string }).text ?? '').join('');
}

function refSet(scene: Scene, { attemptId, ref, commit, uncommitted = 0 }: Of<'refSet'>): void {
  scene.uncommitted.set(attemptId, uncommitted);
  const attempt = scene.attempts.get(attemptId);
  if (attempt === undefined || attempt.verdict === null) {
    blame(scene, 2, `${ref} was set before it was durable that ${attemptId} had finished`);
  }
  for (const process of scene.alive) {
    if (process.attemptId === attemptId) blame(scene, 6, `${ref} was set while ${process.launchId} was still at work`);
  }
  const before = scene.refs.get(ref);
  if (before !== undefined && before !== commit) blame(scene, 6, `${ref} of ${attemptId} was moved off ${before}`);
  scene.refs.set(ref, commit);
  workSaved(scene, attemptId, commit);
}

function checked(scene: Scene, { attemptId, commit, check, passed }: Of<'checked'>): void {
  const saved = scene.attempts.get(attemptId)?.saved?.commit;
  if (saved !== commit) {
    blame(scene, 4, `check ${check} of ${attemptId} was run on ${commit}, durably saved is ${saved ?? 'nothing'}`);
  }
  const key = checkKey(attemptId, check, commit);
  const runs = scene.checks.get(key);
  if (runs === undefined) scene.checks.set(key, [passed]);
  else runs.push(passed);
}

/** What was answered can be counted on: it must be durable by now. */
function ordered(scene: Scene, { order, answer }: Of<'ordered'>): void {
  if (answer !== 'accepted') return;
  const { accepted, traces } = scene;
  if (order.startsWith('send ')) {
    const id = order.slice('send '.length);
    accepted.send.push(id);
    if (!scene.messages.has(id) && !accepted.steered.has(id))
      blame(scene, 8, `${id} was accepted for sending and is in no stream`);
    return;
  }
  if (!(order in traces)) return;
  const name = order as keyof typeof traces;
  accepted[name] += 1;
  if (accepted[name] > traces[name]) blame(scene, 8, `an accepted order to ${order} left no trace in the journal`);
}

function noteTold(scene: Scene, { askId, approved, by = '', choice = null, values = {} }: Of<'answering'>): void {
  scene.told.set(askId, [...(scene.told.get(askId) ?? []), { by, approved, choice, values }]);
}
