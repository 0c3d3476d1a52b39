import { expect, it } from 'vitest';
import { keyOf } from './setup-key.ts';

const entry = (name: string, id = 'a') => `100644 blob ${id}\t${name}`;
const base = [entry('package-lock.json'), entry('src/x.js'), entry('.gitignore')];
const key = (entries: readonly string[], setup = 's', machine = 'linux-x64') => keyOf(entries, setup, machine);

it('without a lockfile there is no key', () => {
  expect(key([entry('src/x.js'), entry('.gitignore'), entry('package-lock.json/x')])).toBe(null);
});

it('the key depends on setup, lockfiles anywhere, ignore files and the machine, not on sources', () => {
  const same = key(base);
  expect(same).toMatch(/^[0-9a-f]{32}$/);
  expect(key([...base, entry('src/y.js', 'b')])).toBe(same);
  const others = [
    key(base, 'other'),
    key(base, 's', 'darwin-arm64'),
    key([entry('package-lock.json', 'b'), ...base.slice(1)]),
    key([...base, entry('deep/down/requirements-dev.txt')]),
    key([...base, entry('deep/.gitignore')]),
    key([entry('moved/package-lock.json'), ...base.slice(1)]),
  ];
  expect(new Set([same, ...others]).size).toBe(others.length + 1);
});
