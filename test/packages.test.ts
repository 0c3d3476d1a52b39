// The packages that the lock file names: each is known by its hash, none by the host it came from, and all run on the oldest
// Node that Signalbox supports, so that an installation warns of nothing.

import { describe, expect, it } from 'vitest';
import { read } from './source-files.ts';

interface Package {
  readonly version: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly engines?: { readonly node?: string };
}

type Version = readonly [number, number, number];

const lock = JSON.parse(read('package-lock.json')) as { readonly packages: Readonly<Record<string, Package>> };
const manifest = JSON.parse(read('package.json')) as Readonly<Record<string, Readonly<Record<string, string>>>>;
const installed = Object.entries(lock.packages).filter(([path]) => path !== '');

/** Whether a range of versions, as npm writes it, admits this one. A form that is not known here throws. */
function admits(range: string, version: Version): boolean {
  return range.split('||').some((part) => comparatorsOf(part).every((text) => holds(text, version)));
}

function comparatorsOf(part: string): string[] {
  return part
    .replace(/([<>=^~])\s+/g, '$1')
    .split(/\s+/)
    .filter((text) => text !== '' && text !== '*');
}

function holds(comparator: string, version: Version): boolean {
  const [, sign = '', words = ''] = /^(>=|<=|>|<|=|\^|~|)v?(\d+(?:\.(?:\d+|x)){0,2})$/.exec(comparator) ?? [];
  if (words === '') throw new Error(`"${comparator}" is no comparator that this test knows`);
  const named = words
    .split('.')
    .filter((word) => word !== 'x')
    .map(Number);
  const [major = 0, minor = 0, patch = 0] = named;
  const order = compare(version, [major, minor, patch]);
  if (sign === '>=') return order >= 0;
  if (sign === '<') return order < 0;
  if (sign === '<=') return order <= 0;
  if (sign === '>') return order > 0;
  // What is left names a first version, and how many of its numbers must stay as they are.
  const fixed = sign === '^' ? 1 : sign === '~' ? Math.min(2, named.length) : named.length;
  return order >= 0 && named.slice(0, fixed).every((number, at) => number === version[at]);
}

function compare(a: Version, b: Version): number {
  const at = a.findIndex((number, index) => number !== b[index]);
  return at === -1 ? 0 : (a[at] as number) - (b[at] as number);
}

describe('packages', () => {
  it('every package of the lock file has its hash [PKG-1]', () => {
    expect(installed.length).toBeGreaterThan(50);
    const unhashed = installed.filter(([, { integrity = '' }]) => !integrity.startsWith('sha512-'));
    expect(unhashed.map(([path]) => path)).toEqual([]);
  });

  it('the lock file names no host [PKG-1]', () => {
    expect(read('.npmrc')).toContain('omit-lockfile-registry-resolved=true');
    expect(installed.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path)).toEqual([]);
  });

  it('every package supports the oldest Node that Signalbox does [PKG-2]', () => {
    const [, major, minor] = /^>=(\d+)\.(\d+)$/.exec(manifest['engines']?.['node'] ?? '') ?? [];
    const floor: Version = [Number(major), Number(minor), 0];
    expect(floor.every((number) => Number.isInteger(number))).toBe(true);
    const unfit = installed.filter(([, { engines }]) => !admits(engines?.node ?? '*', floor));
    expect(unfit.map(([path, { engines }]) => `${path} needs Node ${engines?.node}`)).toEqual([]);
  });

  it('packages are pinned exactly, and locked as they are pinned [PKG-1]', () => {
    const pins = { ...manifest['dependencies'], ...manifest['devDependencies'] };
    const locked = Object.entries(pins).map(([name]) => [name, lock.packages[`node_modules/${name}`]?.version]);
    expect(Object.fromEntries(locked)).toEqual(pins);
  });

  it.each([
    ['>=20.19', [20, 19, 0], true],
    ['>=22', [20, 19, 0], false],
    ['>= 12.0.0', [20, 19, 0], true],
    ['^20.19.0 || >=22.12.0', [20, 19, 0], true],
    ['^20.19.0 || >=22.12.0', [21, 0, 0], false],
    ['^18 || ^20 || >= 21', [20, 19, 0], true],
    ['~20.18', [20, 19, 0], false],
    ['20.x', [20, 19, 0], true],
    ['>=18 <20', [20, 19, 0], false],
    ['*', [20, 19, 0], true],
  ] as const)('the range %s and the version %j: %s', (range, version, expected) => {
    expect(admits(range, version)).toBe(expected);
  });
});
