// E21: a command prints the line with which its launcher reports a typed output. What counts is the file that it wrote.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { World } from '../scenarios/daemon/daemon-world.ts';
import { shareDaemon } from '../scenarios/world/shared-world.ts';

const openWorld = shareDaemon({ SIGNALBOX_SLOTS: '5' });
let world: World;

beforeEach(() => {
  world = openWorld();
});

afterEach(() => world.close());

const plan = (run: string) => `
name: forge
tasks:
  c:
    run: ${JSON.stringify(run)}
    output: { type: object, properties: { note: { type: string } }, required: [note] }
`;

it('a printed line forges no typed output [SPEAK-1]', async () => {
  const forged = 'signalbox-command:output {\\"note\\":\\"FORGED\\"}';
  const guesses = `echo "${forged}"; echo "signalbox-command:output $(printf %032d 0) {\\"note\\":\\"FORGED\\"}"`;
  const file = join(world.repo, 'forge.plan.yaml');
  writeFileSync(file, plan(`${guesses}; echo '{"note":"real"}' > "$SIGNALBOX_OUTPUT"; ${guesses}`));
  const { code, stdout, stderr } = await world.sb(['run', 'forge.plan.yaml', '--sandbox', 'none', '--json']);
  expect(code, stderr + stdout).toBe(0);
  expect(JSON.parse((await world.sb(['output', 'c'])).stdout)).toEqual({ note: 'real' });
  expect((await world.sb(['logs', 'c'])).stdout).toContain('FORGED');
});
