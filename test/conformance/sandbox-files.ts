// What an agent in a sandbox may write and read, and what is hidden from it.

import { existsSync, lstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { canary, canaryFiles, place, type SandboxWorld } from './sandbox-world.ts';

export function sandboxFiles(world: () => SandboxWorld): void {
  test('its workspace, its home, /tmp, /var/tmp and /dev/shm can be written to [SBX-1]', async () => {
    const { workspace, agentHome } = world();
    const places = [workspace, agentHome, '/tmp', '/var/tmp', '/dev/shm'];
    const tries = places.map((folder) => `echo made >'${folder}/sandbox-made' && cat '${folder}/sandbox-made'`);
    const { out, err } = await world().sh(tries.join('; '));
    expect({ out, err }).toEqual({ out: places.map(() => 'made').join('\n'), err: '' });
    for (const folder of [workspace, agentHome]) expect(existsSync(join(folder, 'sandbox-made'))).toBe(true);
    for (const folder of ['/tmp', '/var/tmp', '/dev/shm']) expect(existsSync(join(folder, 'sandbox-made'))).toBe(false);
  });

  test('nothing else can be written to [SBX-1]', async () => {
    const places = [
      '/',
      '/etc',
      '/usr',
      '/usr/bin',
      '/usr/local/bin',
      '/opt',
      '/run',
      '/var',
      '/var/lib',
      '/sys/fs/cgroup',
    ];
    const outside = [...places, world().userHome, world().home, join(world().home, 'launches'), world().dir];
    const { out } = await world().sh(
      `for folder; do if (: >"$folder/sandbox-made") 2>/dev/null; then echo "$folder"; fi; done`,
      {
        argv: [
          'sh',
          '-c',
          'for f; do if (: >"$f/sandbox-made") 2>/dev/null; then echo "$f"; fi; done',
          'sh',
          ...outside,
        ],
      },
    );
    // What is hidden may be a directory of its own; nothing of it comes out.
    for (const folder of outside) expect(existsSync(join(folder, 'sandbox-made')), folder).toBe(false);
    expect(out.split('\n').filter((folder) => places.includes(folder))).toEqual([]);
  });

  test("nothing of the user's home is there, neither by path nor by search [SBX-2]", async () => {
    const tries = canaryFiles.map((name) => `cat '${join(world().userHome, name)}'`).join('; ');
    const searched = `'${world().dir}' /etc /run /srv /tmp /var /dev/shm`;
    const { out } = await world().sh(`${tries}; grep -rs --devices=skip ${canary} ${searched}; true`);
    expect(out).not.toContain(canary);
  });

  test('other agents, their workspaces, the launches and the journal are not there [SBX-2]', async () => {
    const others = [
      'agents/agent_2/x',
      'work/workspaces/attempt_2/x',
      'journal.db',
      'daemon.log',
      'launches/other/out',
    ];
    for (const name of others) place(join(world().home, name), canary);
    const { out } = await world().sh(`cd '${world().home}' && find . -type f; find . -maxdepth 3`);
    expect(out).not.toMatch(/agent_2|attempt_2|journal|daemon|other/);
    expect(out).toContain('./work/workspaces/attempt_1');
  });

  test('objects that its checkout borrows can be read and not changed [SBX-2]', async () => {
    const objects = join(world().home, 'work/projects/p.git/objects');
    place(join(objects, 'aa/bb'), 'object\n', 0o644);
    place(join(world().home, 'work/projects/p.git/config'), canary);
    const options = { reach: { readable: [objects] } };
    const { out } = await world().sh(`cat '${objects}/aa/bb'; rm -f '${objects}/aa/bb'; ls '${objects}/..'`, options);
    expect(out).toBe('object\nobjects');
    expect(readFileSync(join(objects, 'aa/bb'), 'utf8')).toBe('object\n');
  });

  test('what it makes belongs to whoever runs Signalbox; inside it is not root [SBX-4]', async () => {
    const { out } = await world().sh('id -u; whoami; touch made; mkdir folder; ln -s made link; stat -c %u made');
    const [uid, name, , owner] = [...out.split('\n').slice(0, 2), '', out.split('\n')[2]];
    expect(uid).not.toBe('0');
    expect(name).not.toBe('root');
    expect(owner).toBe(uid);
    for (const made of ['made', 'folder', 'link']) {
      expect(lstatSync(join(world().workspace, made)).uid).toBe(process.getuid?.());
    }
    expect(statSync(join(world().workspace, 'made')).gid).toBe(process.getgid?.());
  });

  test('a link that it leaves in its workspace leads nowhere at the next launch [SBX-2]', async () => {
    await world().sh(
      `ln -s '${world().userHome}' out; ln -s '${world().home}/launches' launches; mkdir -p .git/objects/info; echo '${world().userHome}' >.git/objects/info/alternates`,
    );
    const { out } = await world().sh('cat out/.ssh/id_ed25519; ls launches/ out/');
    expect(out).not.toContain(canary);
    expect(readdirSync(world().userHome)).toContain('.ssh');
  });
}
