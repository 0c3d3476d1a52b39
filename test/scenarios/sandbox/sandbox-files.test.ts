// What the sandbox `workspace` hides besides what every sandbox does (test/conformance/sandbox.ts).

import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { canary, hasSandbox, openSandboxWorld, type SandboxWorld } from '../../conformance/sandbox-world.ts';

describe.skipIf(!hasSandbox)('files in the sandbox', () => {
  let world: SandboxWorld;
  beforeEach(async () => {
    world = await openSandboxWorld();
  });
  afterEach(() => world.close());

  it("secrets of the user's home stay hidden also where the home is shown on request [SBX-2]", async () => {
    await world.close();
    const { userHome } = world;
    world = await openSandboxWorld({ userHome, readable: [userHome] }, world.dir);
    const { out } = await world.sh(`cat '${userHome}/Documents/diary.txt'; echo; grep -rl ${canary} '${userHome}'`);
    expect(out.split('\n')).toEqual([canary, join(userHome, 'Documents/diary.txt')]);
  });

  it('configuration that only its owner may read is blank, also to root [SBX-2]', async () => {
    const { out } = await world.sh(
      'cat /etc/shadow /etc/gshadow /etc/ssh/ssh_host_*_key; find /etc -type f ! -perm -004 -size +0',
    );
    expect(out).toBe('');
    expect((await world.sh('head -1 /etc/passwd')).out).toContain(':');
  });
});
