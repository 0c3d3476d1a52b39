// The merge by which a run's work came into a person's own branch can be checked like a landing.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Verification } from '../../../src/cli/client/context.ts';
import { openWorld, type World } from '../daemon/daemon-world.ts';
import { detached, runEnd } from '../spending/limits-world.ts';

let world: World;
beforeEach(() => {
  world = openWorld();
});
afterEach(() => world.close());

it("a landing into a branch that had moved is signed, says who asked, and is verified by the branch's name [PROV-9]", async () => {
  world.git('branch', 'target');
  const script = world.script([{ write: { path: 'a.txt', text: 'a\n' } }]);
  const { id } = await detached(world, ['x', '--script', script]);
  await runEnd(world, id);
  const base = world.git('rev-parse', 'HEAD');
  writeFileSync(join(world.repo, 'b.txt'), 'b\n');
  world.git('checkout', '-q', 'target');
  world.git('add', '-A');
  world.git('commit', '-q', '-m', 'Meanwhile');
  world.git('checkout', '-q', '--detach', base);
  const landed = await world.sb(['land', id, '--into', 'target']);
  expect(landed.code, landed.stderr).toBe(0);
  const trailers = world.git('log', '-1', '--format=%(trailers:only)', 'target');
  expect(trailers).toContain('Signalbox-Landing: 1 into target');
  expect(trailers).toMatch(/^Signalbox-Asked-By: .+ at \d{4}-/m);

  const merge = world.git('rev-parse', '--short=12', 'target');
  for (const word of ['target', id]) {
    const { code, stdout, stderr } = await world.sb(['verify', word, '--json']);
    expect(code, stdout + stderr).toBe(0);
    const { verified } = JSON.parse(stdout) as Verification;
    const said = verified.filter(({ what }) => what === `commit ${merge}`).map(({ detail }) => detail);
    expect(said[0]).toMatch(/^signed by this Signalbox/);
    expect(said[1]).toMatch(/^all 4 trailers match the journal/);
    expect(said[2]).toBe('is the commit recorded in the journal');
  }
});
