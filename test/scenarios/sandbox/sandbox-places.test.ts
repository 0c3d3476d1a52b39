// The sandbox in odd places: other file systems, links, names that shells trip over, and for a user without rights.

import { execFileSync } from 'node:child_process';
import {
  accessSync,
  chownSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { canary, hasSandbox, openSandboxWorld, place, type SandboxWorld } from '../../conformance/sandbox-world.ts';
import { mainFile, makeRepository, readOr } from '../daemon/daemon-world.ts';

describe.skipIf(!hasSandbox)('places', () => {
  let world: SandboxWorld | null = null;
  afterEach(async () => {
    await world?.close();
    world = null;
  });

  it('a workspace on another file system is writable, and what is beside it is not there [SBX-1]', async (context) => {
    const other = mkdtempSync('/dev/shm/signalbox-sandbox-');
    try {
      world = await openSandboxWorld();
      if (statSync(other).dev === statSync(world.dir).dev) context.skip('there is one file system only');
      const workspace = join(other, 'workspace');
      mkdirSync(workspace);
      mkdirSync(join(other, 'beside'));
      const reach = { writable: [workspace, world.agentHome] };
      const { out, err } = await world.sh(`echo x >made; ls '${other}'`, { cwd: workspace, reach });
      expect(out, err).toBe('workspace');
      expect(readOr(join(workspace, 'made'))).toBe('x\n');
    } finally {
      rmSync(other, { recursive: true, force: true });
    }
  });

  it('homes behind links work under both names, and hide the same [SBX-1] [SBX-2]', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'signalbox-sandbox-'));
    mkdirSync(join(dir, 'real/user'), { recursive: true });
    symlinkSync(join(dir, 'real'), join(dir, 'linked'));
    const userHome = join(dir, 'linked/user');
    place(join(userHome, '.volta/bin/tool'), '#!/bin/sh\necho tool', 0o755);
    const path = `${join(userHome, '.volta/bin')}:${process.env['PATH']}`;
    world = await openSandboxWorld({ userHome, home: join(userHome, '.local/state/signalbox'), path }, dir);
    const { out, err } = await world.sh(
      `tool; echo x >made && cat '${world.workspace}/made'; touch ~/y; cat '${userHome}/.ssh/id_ed25519' '${dir}/real/user/.ssh/id_ed25519'`,
    );
    expect(out, err).toBe('tool\nx');
    expect(out).not.toContain(canary);
    expect(existsSync(join(world.agentHome, 'y'))).toBe(true);
  });

  it('names with spaces, quotes and other scripts work [SBX-1]', async () => {
    const dir = join(mkdtempSync(join(tmpdir(), 'signalbox-sandbox-')), `a b's "c" $d – Ünï 日本`);
    mkdirSync(dir);
    world = await openSandboxWorld({}, dir);
    const { out, err } = await world.sh('echo x >made && cat made && cd ~ && pwd');
    expect(out, err).toBe(`x\n${world.agentHome}`);
    await world.close();
    world = null;
    rmSync(dirname(dir), { recursive: true });
  });
});

/** A user that exists nowhere on this machine: programs ask for its name all the same. */
const stranger = 61_234;

describe.skipIf(!hasSandbox || process.getuid?.() !== 0)('a user without rights', () => {
  it('gets the same sandbox, and its files are its own [SBX-1] [SBX-4]', (context) => {
    const dir = mkdtempSync(join(tmpdir(), 'signalbox-sandbox-'));
    const as = (...command: string[]): string =>
      execFileSync('setpriv', ['--reuid', `${stranger}`, '--regid', `${stranger}`, '--clear-groups', ...command], {
        cwd: join(dir, 'repo'),
        encoding: 'utf8',
        env: { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: dir, SIGNALBOX_HOME: join(dir, 'home') },
      });
    try {
      makeRepository(join(dir, 'repo'));
      execFileSync('chown', ['-R', `${stranger}:${stranger}`, dir]);
      chownSync(dir, stranger, stranger);
      place(join(dir, '.ssh/id_ed25519'), canary, 0o644);
      try {
        as(process.execPath, mainFile, '--version');
        accessSync('/usr/bin/setpriv', constants.X_OK);
      } catch {
        return context.skip('another user cannot run this build');
      }
      const command = `id -u; whoami; cat '${dir}/.ssh/id_ed25519'; grep CapEff /proc/self/status; touch made /usr/x; git add made; git commit -qm Made`;
      as(
        process.execPath,
        mainFile,
        'run',
        'look',
        '--sandbox',
        'workspace',
        '--harness',
        'command',
        '--argv',
        command,
      );
      const out = as(process.execPath, mainFile, 'logs', 'look', '--json');
      expect(out).toContain(`${stranger}\nagent\n`);
      expect(out).toContain('CapEff:\t0000000000000000');
      expect(out).not.toContain(canary);
      const found = execFileSync('find', [join(dir, 'home/work/workspaces'), '-name', 'made'], { encoding: 'utf8' });
      expect(statSync(found.trim()).uid).toBe(stranger);
    } finally {
      try {
        as(process.execPath, mainFile, 'down');
      } catch {
        // It was never up.
      }
      rmSync(dir, { recursive: true, force: true });
    }
  });
});
