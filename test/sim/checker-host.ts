// Rules on slots: never more than there are, and each taken and freed in the very commit that starts or ends
// its attempt.

import { blame, type Data, type HostView, type Scene } from './checker-scene.ts';

/** What one commit did, by attempt: the stream of the host it concerns. */
export interface CommitDoings {
  readonly started: Map<string, string>;
  readonly ended: Map<string, string>;
  readonly taken: Map<string, string>;
  readonly freed: Map<string, string>;
}

export function noDoings(): CommitDoings {
  return { started: new Map(), ended: new Map(), taken: new Map(), freed: new Map() };
}

export function hostEvent(scene: Scene, stream: string, type: string, data: Data, doings: CommitDoings): void {
  const host = hostOf(scene, stream);
  const attemptId = data.attemptId ?? 'undefined';
  switch (type) {
    case 'host.configured':
      host.slots = data.slots ?? 0;
      return;
    case 'slot.taken': {
      if (host.held.has(attemptId)) blame(scene, 7, `${attemptId} takes a slot of ${stream} that it holds already`);
      else if (host.held.size >= host.slots) {
        blame(scene, 7, `${attemptId} takes slot ${host.held.size + 1} of ${stream}, which has ${host.slots}`);
      }
      const runId = scene.attempts.get(attemptId)?.task.run.id;
      if (runId !== data.runId) blame(scene, 7, `the slot of ${attemptId} is taken for ${data.runId}, not ${runId}`);
      host.held.set(attemptId, data.runId ?? '');
      doings.taken.set(attemptId, stream);
      return;
    }
    case 'slot.freed':
      if (!host.held.delete(attemptId)) blame(scene, 7, `${attemptId} frees a slot of ${stream} that it does not hold`);
      doings.freed.set(attemptId, stream);
      return;
    default:
      blame(scene, 2, `${stream} has an event ${type}, which no host has`);
  }
}

export function checkSlots(scene: Scene, doings: CommitDoings): void {
  const { started, taken, ended, freed } = doings;
  match(scene, started, taken, 'starts without taking a slot in the same commit');
  match(scene, taken, started, 'takes a slot without starting in the same commit');
  match(scene, ended, freed, 'ends without freeing its slot in the same commit');
  match(scene, freed, ended, 'frees its slot without ending in the same commit');
}

function match(scene: Scene, left: Map<string, string>, right: Map<string, string>, otherwise: string): void {
  for (const [attemptId, stream] of left) {
    if (right.get(attemptId) !== stream) blame(scene, 7, `${attemptId} ${otherwise} (${stream})`);
  }
}

function hostOf(scene: Scene, stream: string): HostView {
  let host = scene.hosts.get(stream);
  if (host === undefined) {
    host = { slots: 0, held: new Map() };
    scene.hosts.set(stream, host);
  }
  return host;
}
