// A registry of npm on loopback with packages of its own, for commands that ask for newer versions and install them.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Registry {
  readonly url: string;
  /** An entry of a lock file. */
  locked(version: string): object;
  close(): void;
}

/** Serves one package in these versions; the last one is the newest. */
export async function startRegistry(name: string, versions: readonly string[]): Promise<Registry> {
  const packed = new Map(versions.map((version) => [version, pack({ name, version })]));
  const entry = (version: string): { resolved: string; integrity: string } => {
    const hash = createHash('sha512').update(packed.get(version) ?? '');
    return { resolved: `${url()}${name}/-/${name}-${version}.tgz`, integrity: `sha512-${hash.digest('base64')}` };
  };
  const about = (version: string): object => {
    const { resolved: tarball, integrity } = entry(version);
    return { name, version, dist: { tarball, integrity } };
  };
  const server = createServer((request, response) => {
    const [, asked = ''] = /-([\d.]+)\.tgz$/.exec(request.url ?? '') ?? [];
    const file = packed.get(asked);
    if (file !== undefined) return response.end(file);
    if (request.url !== `/${name}`) return response.writeHead(404).end('{}');
    const all = Object.fromEntries(versions.map((version) => [version, about(version)]));
    response.end(JSON.stringify({ name, 'dist-tags': { latest: versions.at(-1) }, versions: all }));
  });
  const url = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { url: url(), locked: (version) => ({ version, ...entry(version) }), close };
}

function pack(manifest: object): Buffer {
  const dir = mkdtempSync(join(tmpdir(), 'signalbox-pack-'));
  try {
    mkdirSync(join(dir, 'package'));
    writeFileSync(join(dir, 'package/package.json'), JSON.stringify(manifest));
    writeFileSync(join(dir, 'package/index.js'), 'module.exports = (text, size) => text.padStart(size);\n');
    return execFileSync('tar', ['-czf', '-', 'package'], { cwd: dir });
  } finally {
    rmSync(dir, { recursive: true });
  }
}
