import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Fault, isFault } from './fault.ts';
import { diskFault, readIfThere, writeAtomic } from './files.ts';

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'signalbox-files-'));
});
afterEach(() => rm(home, { recursive: true, force: true }));

it('a file is replaced whole, privately, and leaves no temporary name', async () => {
  const path = join(home, 'a');
  await writeFile(path, 'old and longer');
  await writeAtomic(path, 'new');
  expect(await readFile(path, 'utf8')).toBe('new');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readdir(home)).toEqual(['a']);
});

it('concurrent writers leave one of their contents', async () => {
  const path = join(home, 'a');
  await Promise.all(['one', 'two', 'three'].map((content) => writeAtomic(path, content)));
  expect(['one', 'two', 'three']).toContain(await readFile(path, 'utf8'));
  expect(await readdir(home)).toEqual(['a']);
});

it('a failed write leaves the target and no temporary name', async () => {
  await mkdir(join(home, 'a'));
  await writeFile(join(home, 'a', 'inside'), '');
  await expect(writeAtomic(join(home, 'a'), 'x')).rejects.toThrow();
  expect(await readdir(home)).toEqual(['a']);
});

it('a missing file reads as null', async () => {
  expect(await readIfThere(join(home, 'none'))).toBeNull();
  await writeFile(join(home, 'some'), 'text');
  expect(await readIfThere(join(home, 'some'))).toBe('text');
});

// Root may write anywhere, so the refusal cannot be provoked there.
it.runIf(process.getuid?.() !== 0)('a directory that refuses is read_only', async () => {
  await chmod(home, 0o500);
  await expect(writeAtomic(join(home, 'a'), 'x')).rejects.toSatisfy((error) => isFault(error, 'read_only'));
  await chmod(home, 0o700);
});

it('disk conditions that a person can fix have a code, others pass through', () => {
  const errno = (code: string) => Object.assign(new Error(code), { code });
  const codeFor = (code: string) => (diskFault(errno(code), 'p') as Fault).code;
  expect(['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES'].map(codeFor)).toEqual([
    'disk_full',
    'disk_full',
    'read_only',
    'read_only',
  ]);
  const other = errno('EIO');
  expect(diskFault(other, 'p')).toBe(other);
});
