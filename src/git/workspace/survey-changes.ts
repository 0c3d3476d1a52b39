// Examines what an agent left, before it is saved: what was touched since the workspace was made, and which of these
// files need care. One search finds all of it, because whatever an agent made was touched.

import { lstatSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { Layout } from '../commands/layout.ts';
import { gitReads, removePipes } from '../commands/refuse-pipes.ts';
import { pathOf } from '../commands/tree-index.ts';
import { findLarge } from '../save/leftovers.ts';
import { type Moment, setStamp } from './change-stamp.ts';
import { type Seed, seedOf } from './known-files.ts';
import { recordPlace, type WorkspaceRecord } from './workspace-record.ts';

export interface SurveyOrder {
  readonly layout: Layout;
  readonly attemptId: string;
  readonly workspace: string;
  readonly record: WorkspaceRecord | null;
  /** A file over this is named. */
  readonly fileMaxBytes: number;
}

export interface Survey {
  /** When the stamp of saving was set: what changes later is not saved. null: nothing is known of the workspace. */
  readonly at: Moment | null;
  readonly seed: Seed | null;
  /** As latin1 names. */
  readonly large: readonly string[];
}

/** Removes pipes that git would wait for; that is a change too, so the stamp is then set again. */
export async function surveyWorkspace(order: SurveyOrder, signal: AbortSignal): Promise<Survey> {
  const { layout, attemptId, workspace, record, fileMaxBytes } = order;
  for (let round = 1; ; round += 1) {
    const at = record === null ? null : await setStamp(recordPlace(layout, attemptId).savedStamp);
    const seed = record === null ? null : await seedOf(layout, attemptId, record, workspace, signal);
    const found = seed === null ? null : lookAt(workspace, seed.touched, fileMaxBytes);
    for (const pipe of found?.pipes ?? []) await rm(pathOf(workspace, pipe), { force: true });
    const removed = found === null ? await removePipes(workspace, signal) : found.pipes.length > 0;
    if (removed && round < roundsMax) continue;
    return { at, seed, large: found?.large ?? (await findLarge(workspace, fileMaxBytes, signal)) };
  }
}

const roundsMax = 3;
/** More than these are found faster by a search. */
const lookedAtMax = 2_000;

/** null: they are too many to be looked at one by one. */
function lookAt(
  workspace: string,
  names: readonly string[],
  fileMaxBytes: number,
): { pipes: string[]; large: string[] } | null {
  if (names.length > lookedAtMax) return null;
  const [pipes, large]: [string[], string[]] = [[], []];
  for (const name of names) {
    const found = lstatSync(pathOf(workspace, name), { throwIfNoEntry: false });
    const parts = name.split('/');
    if (found?.isFIFO() === true && gitReads.includes(parts.at(-1) ?? '')) pipes.push(name);
    if (found?.isFile() === true && found.size > fileMaxBytes && !parts.includes('.git')) large.push(name);
  }
  return { pipes, large };
}
