// Canaries: secrets all over a person's environment and home, and agents of every kind that look for them. Every byte
// that Signalbox keeps and the environment and arguments of every process of it are searched.

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { until } from '../../until.ts';
import type { World } from '../daemon/daemon-world.ts';
import { model, onNewestCli } from '../spending/limits-real-cli.ts';
import { runEnd, submit } from '../spending/limits-world.ts';

const timeoutMs = 90_000;
const credential = 'sk-ant-api03-THEAGENTSOWNKEY-0123456789';
const variables = [
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'GITHUB_TOKEN',
  'GH_TOKEN',
  'NPM_TOKEN',
  'SSH_AUTH_SOCK',
  'OPENAI_API_KEY',
  'DATABASE_URL',
  'SLACK_BOT_TOKEN',
  'KUBECONFIG',
  'CLAUDE_CODE_OAUTH_TOKEN',
];
const files = [
  '.ssh/id_ed25519',
  '.aws/credentials',
  '.netrc',
  '.npmrc',
  '.config/gh/hosts.yml',
  '.claude/.credentials.json',
  '.docker/config.json',
  '.kube/config',
  '.git-credentials',
  '.bash_history',
  '.config/gcloud/credentials.db',
];
const canary = (name: string): string => `CANARY<${name}>`;
const canaries = [...variables, ...files, '.gitconfig'].map(canary);

/** What a curious agent would do. Its own credential is its own: that is left out. */
const look = [
  'env | grep -v ^ANTHROPIC_API_KEY=',
  ...files.map((file) => `cat ~/${file}`),
  'git config --list --show-origin',
  'true',
].join('; ');

function hide(world: World): void {
  for (const name of variables) world.env[name] = canary(name);
  for (const file of files) {
    mkdirSync(dirname(world.path(file)), { recursive: true });
    writeFileSync(world.path(file), canary(file), { mode: 0o600 });
  }
  writeFileSync(world.path('.gitconfig'), `[http]\n\textraHeader = "Authorization: ${canary('.gitconfig')}"\n`);
  // Of two credentials in the environment one is the agent's; the other is a canary like the rest.
  world.env['ANTHROPIC_API_KEY'] = credential;
}

function filesBelow(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

function contentOf(path: string): Buffer {
  const bytes = readFileSync(path);
  return path.endsWith('.gz') ? gunzipSync(bytes) : bytes;
}

const isDaemon = (place: string): boolean => place.includes('main.cjs daemon');

/** Which of the words is where. */
function found(words: readonly string[], places: readonly { name: string; bytes: Buffer }[]): string[] {
  return places.flatMap(({ name, bytes }) =>
    words.filter((word) => bytes.includes(word)).map((word) => `${word} in ${name}`),
  );
}

function kept(world: World): { name: string; bytes: Buffer }[] {
  return filesBelow(world.home).map((name) => ({ name, bytes: contentOf(name) }));
}

function running(world: World): { pid: number; name: string; bytes: Buffer }[] {
  return world.processes().flatMap(({ pid, command }) =>
    ['environ', 'cmdline'].flatMap((name) => {
      const path = `/proc/${pid}/${name}`;
      return existsSync(path) ? [{ pid, name: `${path} of ${command.slice(0, 200)}`, bytes: readFileSync(path) }] : [];
    }),
  );
}

onNewestCli('canaries', (begin) => {
  it('real CLI: none of a person’s secrets reaches an agent or a stored file [ENV-1] [LOG-1]', async (context) => {
    const { world, prompt } = begin(context);
    hide(world);
    const hold = (name: string): string =>
      `touch ${world.path(`held-${name}`)}; until [ -e ${world.path('go')} ]; do sleep 0.05; done`;
    await world.up();
    const scripted = JSON.stringify([{ run: look }, { run: hold('scripted') }]);
    const argv = JSON.stringify(['sh', '-c', `${look}; ${hold('command')}`]);
    const cliSettings = JSON.stringify({ permissions: { allow: ['Bash'] } });
    const act = prompt([{ run: look }, { run: hold('claude') }, { say: 'I found nothing.' }]);
    const { id } = await submit(world, [
      { name: 'scripted', prompt: 'look', settings: { script: scripted } },
      { name: 'command', prompt: 'look', harness: 'command', settings: { argv } },
      { name: 'claude', prompt: act, harness: 'claude', settings: { model, cliSettings } },
    ]);
    const names = ['scripted', 'command', 'claude'];
    const held = (): boolean => names.every((name) => existsSync(world.path(`held-${name}`)));
    await until(held, { timeoutMs, what: 'all three to have looked' });

    const processes = running(world);
    expect(processes.length).toBeGreaterThan(6);
    // The daemon may have credentials that these agents do not get.
    const credentials = ['CLAUDE_CODE_OAUTH_TOKEN', 'OPENAI_API_KEY'].map(canary);
    const spare = (place: string): boolean => credentials.some((each) => place.includes(each)) && isDaemon(place);
    expect(found(canaries, processes).filter((place) => !spare(place))).toEqual([]);
    expect(found([credential], processes).filter((place) => !place.includes('environ'))).toEqual([]);
    const agents = processes.filter(({ bytes }) => bytes.includes('SIGNALBOX_MARK='));
    const knowing = agents.filter(({ bytes }) => bytes.includes(credential));
    expect(knowing.length).toBeGreaterThan(0);
    expect(knowing.every(({ bytes }) => bytes.includes('CLAUDE_CONFIG_DIR='))).toBe(true);

    writeFileSync(world.path('go'), '');
    const run = await runEnd(world, id);
    expect(run.tasks.map(({ name, outcome }) => [name, outcome?.kind])).toEqual(
      names.map((name) => [name, 'succeeded']),
    );
    const transcripts = filesBelow(join(world.home, 'launches')).filter((path) => /\/out(\.gz)?$/.test(path));
    // Each did see its environment, so that a canary in it would be there.
    expect(transcripts.filter((path) => contentOf(path).includes('SIGNALBOX_LAUNCH='))).toHaveLength(3);
    expect(found([...canaries, credential], kept(world))).toEqual([]);
  });
});
