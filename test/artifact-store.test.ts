// The store of artifacts on a real disk, and under kill -9.

import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ArtifactId } from '../src/model/core/ids.ts';
import { openArtifacts } from '../src/store/artifacts/artifacts.ts';
import { compiled } from './compiled.ts';
import { startChild } from './conformance/journal-child.ts';
import { until } from './until.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'signalbox-artifacts-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

it('an artifact is a read-only file that is named by its bytes [ART-1] [ART-2]', async () => {
  const artifacts = openArtifacts(root);
  const { id, bytes } = await artifacts.put('report', { title: 'Späße', text: 'x' });
  const path = artifacts.path(id);
  const data = readFileSync(path);
  expect(data.toString()).toBe('{"kind":"report","value":{"text":"x","title":"Späße"}}\n');
  expect(bytes).toBe(data.length);
  const hex = createHash('sha256').update(data).digest('hex');
  expect(id).toBe(`artifact_${hex}`);
  expect(path).toBe(join(root, hex.slice(0, 2), `${hex}.json`));
  expect(statSync(path).mode & 0o777).toBe(0o400);
  expect(await artifacts.get(id)).toEqual({ kind: 'report', value: { title: 'Späße', text: 'x' } });
});

it('the same content is one file, also when many put it at once [ART-1]', async () => {
  const artifacts = openArtifacts(root);
  const before = await artifacts.put('output', { a: 1, b: 2 });
  const inode = statSync(artifacts.path(before.id)).ino;
  const after = await Promise.all(Array.from({ length: 8 }, () => artifacts.put('output', { b: 2, a: 1 })));
  expect(new Set(after.map(({ id }) => id))).toEqual(new Set([before.id]));
  expect(statSync(artifacts.path(before.id)).ino).toBe(inode);
  expect(files()).toHaveLength(1);
});

it('a damaged file is not given out, and storing its content again fixes it [ART-3]', async () => {
  const artifacts = openArtifacts(root);
  const { id } = await artifacts.put('output', 'good');
  const path = artifacts.path(id);
  chmodSync(path, 0o600);
  writeFileSync(path, '{"kind":"output","value":"evil"}\n');
  for (const read of [artifacts.get, artifacts.bytes]) {
    await expect(read(id)).rejects.toMatchObject({ code: 'artifact_corrupt', message: expect.stringContaining(path) });
  }
  await artifacts.put('output', 'good');
  expect((await artifacts.get(id)).value).toBe('good');
  expect(statSync(path).mode & 0o777).toBe(0o400);
});

it('a missing artifact and an invalid id are reported as such [ART-3]', async () => {
  const artifacts = openArtifacts(root);
  await expect(artifacts.get(`artifact_${'0'.repeat(64)}`)).rejects.toMatchObject({ code: 'not_found' });
  await expect(artifacts.get('artifact_../../etc/passwd')).rejects.toMatchObject({ code: 'bad_request' });
});

it('what is too large is refused [ART-1]', async () => {
  await expect(openArtifacts(root).put('output', 'x'.repeat(16_000_000))).rejects.toMatchObject({
    code: 'bad_request',
  });
});

const writer = `
  const { openArtifacts } = await import(args[2]);
  const artifacts = openArtifacts(args[0]);
  await Promise.all([0, 1, 2].map(async (lane) => {
    for (let n = 0; ; n++) {
      const { id } = await artifacts.put('output', { lane, n, life: args[1], text: 'x'.repeat(200_000) });
      print('stored ' + id);
    }
  }));`;

it('after each kill -9 what was stored is whole, and the next process removes half-written files [ART-2]', async () => {
  const built = compiled(['store/artifacts/artifacts.ts']);
  const module = pathToFileURL(join(built, 'store/artifacts/artifacts.js')).href;
  const stored = new Set<string>();
  for (let life = 0; life < 6; life++) {
    const child = startChild(writer, [root, String(life), module]);
    // Each time at another of its steps.
    await until(() => child.lines.length > 2 * life, { what: `${2 * life} to be stored`, timeoutMs: 30_000 });
    await child.kill();
    for (const line of child.lines) stored.add(line.replace('stored ', ''));
  }
  const artifacts = openArtifacts(root);
  await artifacts.put('output', 'next');
  expect(readdirSync(join(root, 'unfinished'))).toEqual([]);
  for (const id of stored) expect(existsSync(artifacts.path(id as ArtifactId))).toBe(true);
  for (const file of files()) await artifacts.get(`artifact_${file.replace('.json', '')}`);
}, 60_000);

function files(): string[] {
  return readdirSync(root)
    .filter((name) => name !== 'unfinished')
    .flatMap((name) => readdirSync(join(root, name)));
}
