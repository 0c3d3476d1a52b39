// What people expect to work in the sandbox: their toolchains, their package managers, git, and agents from wherever they
// are installed.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { canary, hasSandbox, openSandboxWorld, place, type SandboxWorld } from '../../conformance/sandbox-world.ts';
import { never } from '../process/process-world.ts';
import { openGitWorld } from './sandbox-git.ts';

/** A version switcher is there and may have nothing to switch to. */
const works = (...argv: [string, ...string[]]): boolean => {
  try {
    execFileSync(argv[0], argv.slice(1), { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

const there = (program: string): boolean => {
  try {
    execFileSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

describe.skipIf(!hasSandbox)('programs in the sandbox', () => {
  let world: SandboxWorld;
  beforeEach(async () => {
    world = await openSandboxWorld();
  });
  afterEach(() => world.close());

  /** The toolchains of the user who runs the tests, as their own agents would see them. */
  const asOurselves = async (): Promise<void> => {
    await world.close();
    world = await openSandboxWorld({ userHome: homedir(), env: process.env }, world.dir);
  };

  it('node and npm work: a package is made, linked and run [SBX-5]', async () => {
    await asOurselves();
    place(join(world.workspace, 'dep/package.json'), '{"name":"dep","version":"1.0.0","main":"i.js"}', 0o644);
    place(join(world.workspace, 'dep/i.js'), 'module.exports = () => "from dep";', 0o644);
    place(
      join(world.workspace, 'package.json'),
      '{"name":"app","version":"1.0.0","scripts":{"hi":"node hi.js"}}',
      0o644,
    );
    place(join(world.workspace, 'hi.js'), 'console.log(require("dep")());', 0o644);
    const said = await world.sh(
      'npm install --offline --no-audit --no-fund ./dep >&2 && npm run --silent hi; node -p "os.userInfo().username"',
    );
    expect(said.out.split('\n')[0], said.err).toBe('from dep');
    expect(existsSync(join(world.workspace, 'node_modules/dep'))).toBe(true);
    expect(existsSync(join(world.agentHome, '.npm'))).toBe(true);
  });

  it.skipIf(!there('python3'))('python works: a virtual environment, processes, shared memory [SBX-5]', async () => {
    await asOurselves();
    const program =
      'import multiprocessing as m, tempfile, os\nif __name__ == "__main__":\n  with m.Pool(2) as p: print(sum(p.map(abs, [-1, -2])))\n  print(os.path.exists(tempfile.mkdtemp()))\n';
    place(join(world.workspace, 'p.py'), program, 0o644);
    const { out, err } = await world.sh('python3 -m venv --without-pip env && env/bin/python p.py');
    expect(out, err).toBe('3\nTrue');
  });

  it.skipIf(!works('cargo', '--version'))('cargo builds and runs, with the toolchain of the user [SBX-5]', async () => {
    await asOurselves();
    const { out, err } = await world.sh('cargo init --quiet --vcs none --name hello && cargo run --quiet --offline');
    expect(out, err).toBe('Hello, world!');
    expect(existsSync(join(world.workspace, 'target/debug/hello'))).toBe(true);
  });

  it('git works on a checkout that borrows its objects: status, commit, log, branches [SBX-5]', async () => {
    const { path, objects } = await openGitWorld(world, never);
    const script =
      'git status --porcelain && echo more >more && git add more && git commit -q -m More && git switch -q -c other && git log --format=%s && git fsck --no-progress';
    const said = await world.sh(script, {
      cwd: path,
      reach: { writable: [path, world.agentHome], readable: [objects] },
    });
    expect(said.out, said.err).toBe('More\nStart');
    expect(said.status, said.err).toBe(0);
  });

  it('a program is found wherever it is, through links, with its package [SBX-6]', async () => {
    const packages = join(world.dir, 'far away/lib/node_modules');
    place(
      join(packages, 'tool/cli.js'),
      '#!/usr/bin/env node\nconsole.log(require("./part"), require("other"))',
      0o755,
    );
    place(join(packages, 'tool/part.js'), 'module.exports = "part"', 0o644);
    place(join(packages, 'other/index.js'), 'module.exports = "other"', 0o644);
    place(join(world.dir, 'far away/secret'), canary);
    mkdirSync(join(world.dir, 'links'));
    symlinkSync(join(packages, 'tool/cli.js'), join(world.dir, 'links/second'));
    symlinkSync('second', join(world.dir, 'links/first'));
    const first = join(world.dir, 'links/first');
    const { out, err } = await world.sh('', { argv: [first] });
    expect(out, err).toBe('part other');
    expect(
      (
        await world.sh(`ls '${world.dir}' '${world.dir}/far away'`, {
          argv: ['sh', '-c', `ls '${world.dir}/far away'`],
        })
      ).out,
    ).toBe('');
  });

  it("the user's toolchains are visible, read-only, and nothing beside them [SBX-2] [SBX-5]", async () => {
    const { userHome } = world;
    const shown = [
      '.nvm/versions/node/v1/bin/tool',
      '.local/bin/tool',
      '.cargo/bin/tool',
      '.volta/bin/tool',
      '.rustup/toolchains/x/tool',
      'scripts/tool',
      'tools/x/bin/tool',
      'tools/x/lib/tool',
    ];
    const hidden = [
      '.cargo/credentials.toml',
      '.local/share/keyrings/login.keyring',
      'tools/x/token',
      'scripts2/tool',
      '.fly/config.yml',
    ];
    for (const name of shown) place(join(userHome, name), 'echo shown', 0o755);
    for (const name of hidden) place(join(userHome, name), canary);
    place(join(userHome, '.fly/bin/fly'), 'echo shown', 0o755);
    await world.close();
    for (const name of [...shown, '.fly/bin/fly']) place(join(userHome, name), 'echo shown', 0o755);
    for (const name of hidden) place(join(userHome, name), canary);
    const path = ['scripts', 'tools/x/bin', '.fly/bin', '.'].map((name) => join(userHome, name)).join(':');
    world = await openSandboxWorld({ userHome, path: `${path}:${process.env['PATH']}` }, world.dir);
    const seen = await world.sh([...shown, ...hidden].map((name) => `cat '${join(userHome, name)}'; echo`).join(';'));
    expect(seen.out.split('\n').filter((line) => line === 'echo shown')).toHaveLength(shown.length);
    expect(seen.out).not.toContain(canary);
    const { out } = await world.sh(`echo x >'${userHome}/.local/bin/planted' || echo refused; echo $RUSTUP_HOME`);
    expect(out).toBe(`refused\n${join(userHome, '.rustup')}`);
  });

  it('caches are its own: another agent does not see them [SBX-2]', async () => {
    await world.sh(
      'mkdir -p ~/.npm ~/.cache/pip ~/.cargo && echo planted | tee ~/.npm/x ~/.cache/pip/x ~/.cargo/config.toml',
    );
    const other = join(world.home, 'agents/agent_2');
    mkdirSync(other);
    const options = { reach: { writable: [world.workspace, other] }, env: { HOME: other } };
    expect(
      (await world.sh(`cat ~/.npm/x ~/.cache/pip/x ~/.cargo/config.toml; ls '${world.home}/agents'`, options)).out,
    ).toBe('agent_2');
  });
});
