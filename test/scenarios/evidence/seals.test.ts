// Recorded artifacts can be verified later and elsewhere; a journal that was rewritten with all its hashes is detected.

import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Verification } from '../../../src/cli/client/context.ts';
import { signingFiles } from '../../../src/git/signing/signing-key.ts';
import type { ArtifactEnvelope } from '../../../src/wire/artifact-views.ts';
import type { World } from '../daemon/daemon-world.ts';
import { shareDaemon } from '../world/shared-world.ts';
import { rewriteJournal, type WrittenEvent } from './rewrite-journal.ts';

const there = (program: string, arg: string): boolean => spawnSync(program, [arg]).error === undefined;
const canCheck = there('ssh-keygen', '-?') && there('jq', '--version') && there('sha256sum', '--version');

const openWorld = shareDaemon();
let world: World;
let runId: string;
let home: string;
let homes = 0;

beforeAll(async () => {
  world = openWorld();
  await world.up();
  // A daemon that has recorded nothing needs no key.
  expect(existsSync(join(world.home, 'signing'))).toBe(false);
  const script = world.script([{ write: { path: 'a.txt', text: 'a\n' } }, { say: 'wrote it' }]);
  const ended = await world.sb(['run', 'first', 'second', '--name', 'sealed', '--apart', '--script', script]);
  expect(ended.code, ended.stderr).toBe(0);
  runId = (await world.list())[0]?.id ?? '';
  await world.sb(['down']);
});
afterAll(() => world.close());

/** Each has a home of its own to spoil. */
beforeEach(() => {
  homes += 1;
  home = world.path(`home-${homes}`);
  cpSync(world.home, home, { recursive: true, verbatimSymlinks: true, filter: (path) => !path.endsWith('.sock') });
});

async function verify(): Promise<Verification & { readonly code: number | null; readonly bad: string }> {
  const { code, stdout, stderr } = await world.sb(['verify', runId, '--json'], { env: { SIGNALBOX_HOME: home } });
  expect(stdout, stderr).not.toBe('');
  const found = JSON.parse(stdout) as Verification;
  return { ...found, code, bad: found.defects.map(({ what, detail }) => `${what} ${detail}`).join('\n') };
}

type Data = Record<string, unknown>;

/** Changes what is said in the events of artifacts; `n` counts them. Gives their numbers. */
function forge(
  change: (data: Data, n: number, all: readonly Data[]) => Data,
  move: Partial<WrittenEvent> = {},
): number[] {
  const numbers: number[] = [];
  rewriteJournal(join(home, 'journal.db'), runId, (events) => {
    const stored = events.filter(({ type }) => type === 'artifact.stored');
    const all = stored.map(({ data }) => JSON.parse(data) as Data);
    return events.map((event) => {
      const n = stored.indexOf(event);
      if (n < 0) return event;
      numbers.push(event.seq);
      return { ...event, ...(n === 1 ? move : {}), data: JSON.stringify(change(all[n] ?? {}, n, all)) };
    });
  });
  return numbers;
}

const only = (wanted: number, edit: (data: Data) => Data) => (data: Data, n: number) =>
  n === wanted ? edit(data) : data;

describe('the seals of a run', () => {
  it('are counted if all are good [SEAL-1] [SEAL-3]', async () => {
    const { code, verified, unchecked, bad } = await verify();
    expect([code, bad, unchecked]).toEqual([0, '', []]);
    expect(verified).toContainEqual({ what: runId, detail: expect.stringMatching(/^4 valid seals, key SHA256:/) });
  });

  it('stay good in a journal that was copied event by event', async () => {
    forge((data) => data);
    expect((await verify()).bad).toBe('');
  });

  it('show which event was changed though every hash agrees [SEAL-2] [SEAL-3]', async () => {
    const numbers = forge(only(1, (data) => ({ ...data, agentId: String(data['agentId']).replace(/.$/, '9') })));
    const { code, verified, defects, bad } = await verify();
    expect(code).toBe(1);
    expect(bad).toMatch(new RegExp(`^${runId} event ${numbers[1]} has an invalid seal: file-set of "`));
    expect(defects).toHaveLength(1);
    expect(defects[0]?.means).toMatch(/changed after Signalbox recorded it/);
    expect(verified.map(({ detail }) => detail).join('\n')).toMatch(/^3 valid seals/m);
    expect(verified.map(({ detail }) => detail).join('\n')).toMatch(/every hash matches/);
    const shown = await world.sb(['verify', runId], { env: { SIGNALBOX_HOME: home } });
    expect(shown.stderr).toMatch(/BAD run_\w+ event \d+: has an invalid seal/);
  });

  it('show a changed time [SEAL-2]', async () => {
    const numbers = forge((data) => data, { at: 1_700_000_000_000 });
    expect((await verify()).bad).toContain(`event ${numbers[1]} has an invalid seal`);
  });

  it('show two swapped events [SEAL-2]', async () => {
    const numbers = forge((data, n, all) => ({ ...data, seal: all[n === 0 ? 1 : n === 1 ? 0 : n]?.['seal'] }));
    const { bad } = await verify();
    expect(bad.match(/event (\d+) has an invalid seal/g)).toEqual(
      numbers.slice(0, 2).map((seq) => `event ${seq} has an invalid seal`),
    );
  });

  it('show a removed seal [SEAL-4]', async () => {
    const numbers = forge(only(2, ({ seal: _, ...data }) => data));
    const { code, bad } = await verify();
    expect([code, bad]).toEqual([1, expect.stringMatching(`^${runId} event ${numbers[2]} has no seal: `)]);
  });

  it('are not expected in an older journal, and that is said [SEAL-4]', async () => {
    forge(({ seal: _, ...data }) => data);
    const { code, unchecked, bad } = await verify();
    expect([code, bad]).toEqual([0, '']);
    expect(unchecked).toEqual([{ what: runId, detail: expect.stringMatching(/recorded before the first seal$/) }]);
    const shown = await world.sb(['verify', runId], { env: { SIGNALBOX_HOME: home } });
    expect(shown.stdout).toMatch(/^-- {2}run_.*recorded before the first seal$/m);
    expect(shown.stdout).toContain('All possible checks passed.');
  });
});

describe('an exported artifact', () => {
  const exported = async (word: string, name: string, ...more: string[]): Promise<string> => {
    const target = world.path(name);
    const { code, stderr } = await world.sb(['artifact', 'export', word, target, ...more], {
      env: { SIGNALBOX_HOME: home },
    });
    expect(code, stderr).toBe(0);
    return stderr;
  };

  /** The commands of the guide, in a directory with copies of what they need. */
  function check(name: string): number | null {
    const guide = readFileSync(resolve(import.meta.dirname, '../../../docs/provenance.md'), 'utf8');
    const [, commands = ''] = /```sh\n(jq -j \.sealed[\s\S]*?)```/.exec(guide) ?? [];
    expect(commands).toContain('ssh-keygen -Y verify');
    copyFileSync(signingFiles(join(home, 'signing')).allowedSigners, world.path('allowed_signers'));
    const script = commands.replaceAll('out.json', name);
    return spawnSync('sh', ['-e', '-c', script], { cwd: world.path('.'), encoding: 'utf8' }).status;
  }

  it.runIf(canCheck)('is verified elsewhere as the guide says, and a change is detected [SEAL-7]', async () => {
    try {
      await exported('first', 'out.json');
      const path = world.path('out.json.seal.json');
      const envelope = JSON.parse(readFileSync(path, 'utf8')) as ArtifactEnvelope;
      expect(JSON.parse(envelope.sealed)).toMatchObject({
        run: runId,
        type: 'artifact.stored',
        data: { artifactId: envelope.artifact, kind: 'report' },
      });
      expect(check('out.json')).toBe(0);

      // By its id, it is as good.
      await exported(envelope.artifact, 'same.json');
      expect(check('same.json')).toBe(0);

      writeFileSync(path, JSON.stringify({ ...envelope, sealed: envelope.sealed.replace('report', 'output') }));
      expect(check('out.json')).not.toBe(0);
      writeFileSync(path, JSON.stringify(envelope));
      expect(check('out.json')).toBe(0);
      writeFileSync(world.path('out.json'), `${readFileSync(world.path('out.json'), 'utf8')} `);
      expect(check('out.json')).not.toBe(0);
    } finally {
      await world.sb(['down'], { env: { SIGNALBOX_HOME: home } });
    }
  });

  it('comes without a seal if the journal has no good one, and that is said [SEAL-8]', async () => {
    forge((data) => ({ ...data, bytes: 1 }));
    try {
      expect(await exported('first', 'forged.json')).toContain('The journal has no valid seal');
      expect(existsSync(world.path('forged.json'))).toBe(true);
      expect(existsSync(world.path('forged.json.seal.json'))).toBe(false);
    } finally {
      await world.sb(['down'], { env: { SIGNALBOX_HOME: home } });
    }
  });
});

it('an unusable key stops no agent, and is reported [SEAL-6]', async () => {
  const { privateKey } = signingFiles(join(home, 'signing'));
  const env = { SIGNALBOX_HOME: home };
  chmodSync(privateKey, 0o644);
  const script = world.script([{ say: 'done' }]);
  try {
    const ended = await world.sb(['run', 'third', '--name', 'unsealed', '--script', script], { env });
    expect(ended.code, ended.stderr).toBe(0);
  } finally {
    await world.sb(['down'], { env });
  }
  expect(readFileSync(join(home, 'daemon.log'), 'utf8')).toMatch(/what is recorded has no seal.*can be used by others/);
  chmodSync(privateKey, 0o600);
  const { code, stdout } = await world.sb(['verify', 'unsealed'], { env });
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^-- {2}run_\w+: no seal on event \d+/m)]);
});
