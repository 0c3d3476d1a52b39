// What changed below a directory since a stamp was set: created, moved, written, linked, or given other permissions.

import { lstatSync, readdirSync } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { trustedPath } from '../../process/confine.ts';
import { Fault } from '../../std/fault.ts';
import { lastLine } from '../commands/failure-line.ts';
import { runChild } from '../commands/run-process.ts';
import { pathOf, records } from '../commands/tree-index.ts';

export interface Newer {
  /** As latin1 names within the directory, each before what is below it. */
  readonly names: readonly string[];
  /** false: some directory could not be entered. */
  readonly whole: boolean;
}

export function findNewer(directory: string, stamp: string, signal: AbortSignal): Promise<Newer> {
  return search(directory, ['.', '-mindepth', '1'], stamp, signal);
}

/** The same of a directory with many files, by two searches side by side. */
export async function findNewerAmongMany(directory: string, stamp: string, signal: AbortSignal): Promise<Newer> {
  const names = (await readdir(directory, { encoding: 'latin1' }).catch(() => [])) as string[];
  // Arguments are text, and there is not room for very many.
  if (names.length < 2 || names.length > startsMax || !names.every((name) => /^[\x20-\x7e]+$/.test(name))) {
    return findNewer(directory, stamp, signal);
  }
  const halves = [0, 1].map((rest) => names.filter((_, at) => at % 2 === rest).map((name) => `./${name}`));
  const found = await Promise.all(halves.map((starts) => search(directory, starts, stamp, signal)));
  return { names: found.flatMap((each) => each.names), whole: found.every((each) => each.whole) };
}

const startsMax = 1_000;

async function search(
  directory: string,
  starts: readonly string[],
  stamp: string,
  signal: AbortSignal,
): Promise<Newer> {
  const chunks: Buffer[] = [];
  let said = '';
  const onOutput = (chunk: Buffer, stream: 'stdout' | 'stderr'): boolean => {
    if (stream === 'stdout') chunks.push(chunk);
    else said = (said + chunk.toString('utf8')).slice(-saidKept);
    return true;
  };
  const argv = ['find', ...starts, '-cnewer', stamp, '-print0'];
  const env = { PATH: trustedPath, LC_ALL: 'C' };
  const end = await runChild({ argv, cwd: directory, env, timeoutMs: searchTimeoutMs, graceMs: 0, onOutput }, signal);
  if (end.kind !== 'exited' || end.code > 1) {
    throw new Fault('git_failed', `find failed in ${directory}: ${lastLine(said) || end.kind}`);
  }
  const names = records(Buffer.concat(chunks).toString('latin1')).map((name) => name.replace(/^\.\//, ''));
  return { names, whole: end.code === 0 };
}

/** Whether nothing has, the directory itself included; false also if that cannot be determined. */
export async function hasNothingNewer(directory: string, stamp: string, signal: AbortSignal): Promise<boolean> {
  const known = lookAtFew(directory, stamp);
  if (known !== null) return known;
  const argv = ['find', '.', '-cnewer', stamp, '-print'];
  const env = { PATH: trustedPath, LC_ALL: 'C' };
  // The first name, or complaint, is enough.
  const onOutput = (): boolean => false;
  const end = await runChild({ argv, cwd: directory, env, timeoutMs: searchTimeoutMs, graceMs: 0, onOutput }, signal);
  return end.kind === 'exited' && end.code === 0;
}

/** The same without a program, which takes a tenth of the time; null: there are too many for that. */
function lookAtFew(directory: string, stamp: string): boolean | null {
  try {
    const set = lstatSync(stamp, { bigint: true }).mtimeNs;
    const names = [''];
    for (let at = 0; at < names.length; at += 1) {
      if (names.length > fewMax) return null;
      const name = names[at] ?? '';
      const path = name === '' ? directory : pathOf(directory, name);
      const found = lstatSync(path, { bigint: true });
      if (found.ctimeNs > set) return false;
      if (!found.isDirectory()) continue;
      const below = readdirSync(path, { encoding: 'latin1' });
      names.push(...below.map((inner) => (name === '' ? inner : `${name}/${inner}`)));
    }
    return true;
  } catch {
    return false;
  }
}

const fewMax = 500;

/** Which of these names have changed since the stamp. */
export async function newerOf(directory: string, names: readonly string[], stamp: string): Promise<string[] | null> {
  const set = await lstat(stamp, { bigint: true }).catch(() => null);
  if (set === null) return null;
  const newer: string[] = [];
  for (const name of names) {
    const found = await lstat(pathOf(directory, name), { bigint: true }).catch(() => null);
    if (found === null || found.ctimeNs > set.mtimeNs) newer.push(name);
  }
  return newer;
}

const searchTimeoutMs = 5 * 60_000;
const saidKept = 4096;
