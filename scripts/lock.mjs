// A lock between processes: a directory whose holder touches it every second. Whoever waits breaks it only
// after watching it stay silent, so a crashed holder delays the next one but never blocks it.
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const beatMs = 1_000;
const silenceMaxMs = 10_000;
const pollMs = 100;

/** Runs `work` while holding the lock at `path`; waits as long as a living holder needs. */
export async function withLock(path, work) {
  const token = randomUUID();
  mkdirSync(dirname(path), { recursive: true });
  await acquire(path, token);
  const beat = setInterval(() => {
    const now = new Date();
    if (ownerOf(path) === token) utimesSync(path, now, now);
  }, beatMs);
  try {
    return await work();
  } finally {
    clearInterval(beat);
    if (ownerOf(path) === token) remove(path, token);
  }
}

async function acquire(path, token) {
  let seen = '';
  let seenAt = performance.now();
  while (!tryTake(path, token)) {
    const sign = signOfLife(path);
    if (sign !== seen) {
      seen = sign;
      seenAt = performance.now();
    } else if (performance.now() - seenAt > silenceMaxMs) {
      breakSilent(path, seen);
    }
    await sleep(pollMs);
  }
}

function tryTake(path, token) {
  // Prepared aside and renamed into place: a lock is never seen without its owner.
  const aside = `${path}.${token}`;
  mkdirSync(aside);
  writeFileSync(join(aside, 'owner'), token);
  try {
    renameSync(aside, path);
    return true;
  } catch (error) {
    rmSync(aside, { recursive: true, force: true });
    if (error.code === 'ENOTEMPTY' || error.code === 'EEXIST') return false;
    throw error;
  }
}

/** Two waiters may find the same silence: breaking is itself locked, and looks again first. */
function breakSilent(path, seen) {
  const breaking = `${path}.breaking`;
  try {
    mkdirSync(breaking);
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    const age = Date.now() - (statSync(breaking, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > silenceMaxMs) rmSync(breaking, { recursive: true, force: true });
    return;
  }
  try {
    if (signOfLife(path) === seen) remove(path, randomUUID());
  } finally {
    rmSync(breaking, { recursive: true, force: true });
  }
}

/** Renamed away first: emptied in place, it could be taken over halfway and the new holder's file deleted. */
function remove(path, name) {
  const aside = `${path}.${name}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if (error.code === 'ENOENT') return;
    throw error;
  }
  rmSync(aside, { recursive: true, force: true });
}

function signOfLife(path) {
  return `${ownerOf(path)} ${statSync(path, { throwIfNoEntry: false })?.mtimeMs}`;
}

function ownerOf(path) {
  try {
    return readFileSync(join(path, 'owner'), 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}
