// Rules on what people are notified of: what is raised is raised with the event it is about, once, and told before it counts as told.

import type { Data } from '../view/event-data.ts';
import { blame, type Scene } from '../view/view.ts';

/** What this event of a run has to raise in the same commit. */
export function noticeDue(scene: Scene, stream: string, type: string, at: number, data: Data): void {
  if (type === 'ask.opened' && data.kind !== 'budget') scene.noticesDue.add(`asks ${data.askId}`);
  if (type === 'run.ended') scene.noticesDue.add(`ended ${stream} ${at}`);
  const { outcome, taskId } = data;
  const failed = type === 'task.ended' && typeof outcome === 'object' && outcome.kind === 'failed';
  if (failed) scene.noticesDue.add(`failed ${taskId} ${at}`);
}

export function noticeEvent(scene: Scene, type: string, key = 'undefined'): void {
  const state = scene.notices.get(key);
  if (type === 'notice.raised') {
    if (state === 'raised') blame(scene, 7, `"${key}" is raised twice`);
    scene.notices.set(key, 'raised');
    scene.noticesDue.delete(key);
    return;
  }
  if (state !== 'raised') blame(scene, 7, `"${key}" is told, and was ${state ?? 'never raised'}`);
  if (!scene.notified.has(key)) blame(scene, 7, `"${key}" counts as told, and nobody was told`);
  scene.notices.set(key, 'told');
}

export function checkNotices(scene: Scene): void {
  for (const key of scene.noticesDue) blame(scene, 8, `nobody will be told of "${key}"`);
  scene.noticesDue.clear();
}

/** At the end: nothing is left to tell. */
export function checkAllTold(scene: Scene): void {
  for (const [key, state] of scene.notices) {
    if (state === 'raised') blame(scene, 8, `all is at rest and "${key}" was not told`);
  }
}
