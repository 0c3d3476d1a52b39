import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadConfig } from './config.ts';
import { slotsByMemory } from './slots.ts';

it("the home is the given directory, or in the user's state directory", () => {
  expect(loadConfig({ SIGNALBOX_HOME: '/x/y' }).home).toBe('/x/y');
  expect(loadConfig({ XDG_STATE_HOME: '/state' }).home).toBe('/state/signalbox');
  expect(loadConfig({}).home).toMatch(/\/\.local\/state\/signalbox$/);
});

it('the cache is in the home, in another directory, or off', () => {
  expect(loadConfig({ SIGNALBOX_HOME: '/x' }).cache).toBe('/x/cache');
  expect(loadConfig({ SIGNALBOX_HOME: '/x', SIGNALBOX_CACHE: '/c' }).cache).toBe('/c');
  expect(loadConfig({ SIGNALBOX_HOME: '/x', SIGNALBOX_CACHE: 'off' }).cache).toBeNull();
  expect(() => loadConfig({ SIGNALBOX_CACHE: 'c' })).toThrow('SIGNALBOX_CACHE');
});

it('a relative home is resolved for the daemon, which runs in another directory', () => {
  const { home, daemonEnv } = loadConfig({ SIGNALBOX_HOME: 'here' });
  expect(home).toBe(join(process.cwd(), 'here'));
  expect(daemonEnv['SIGNALBOX_HOME']).toBe(home);
});

it('a socket whose path would be too long gets a short one', () => {
  expect(loadConfig({ SIGNALBOX_HOME: '/x' }).socketPath).toBe('/x/daemon.sock');
  const [a, b] = ['a', 'b'].map((name) => loadConfig({ SIGNALBOX_HOME: `/${name.repeat(120)}` }).socketPath);
  expect(a).not.toBe(b);
  expect(a?.startsWith(tmpdir())).toBe(true);
  expect(a?.length).toBeLessThan(100);
});

it("notifications follow the user's settings", () => {
  expect(loadConfig({ SIGNALBOX_NOTIFY: 'off', DISPLAY: ':0' }).notify).toEqual(calls(false, false, null));
  expect(loadConfig({ SIGNALBOX_NOTIFY: 'say hm', DISPLAY: ':0' }).notify).toEqual(calls(true, false, 'say hm'));
  expect(loadConfig({ DISPLAY: ':0' }).notify).toEqual(calls(true, true, null));
});

function calls(bell: boolean, desktop: boolean, command: string | null) {
  return { bell, desktop, command };
}

it('an invalid setting is refused by name', () => {
  expect(() => loadConfig({ SIGNALBOX_SLOTS: '0' })).toThrow('SIGNALBOX_SLOTS');
  expect(() => loadConfig({ SIGNALBOX_CONFINE: 'strict' })).toThrow('SIGNALBOX_CONFINE');
  expect(() => loadConfig({ SIGNALBOX_SANDBOX_READ: '/a:b' })).toThrow('SIGNALBOX_SANDBOX_READ');
  expect(loadConfig({ RUSTUP_HOME: '/r' }).daemonEnv['RUSTUP_HOME']).toBe('/r');
  expect(() => loadConfig({ SIGNALBOX_DIE_AFTER: 'never' })).toThrow('SIGNALBOX_DIE_AFTER');
  expect(loadConfig({ SIGNALBOX_SLOTS: '7' }).slots).toBe(7);
  expect(loadConfig({}).dieAfter).toBeNull();
  expect(loadConfig({ SIGNALBOX_DIE_AFTER: '3' }).dieAfter).toEqual({ steps: 3, of: '' });
  expect(loadConfig({ SIGNALBOX_DIE_AFTER: '3 integrations' }).dieAfter).toEqual({ steps: 3, of: 'integrations' });
  expect(() => loadConfig({ SIGNALBOX_CLOCK_AHEAD: 'a week' })).toThrow('SIGNALBOX_CLOCK_AHEAD');
  expect(loadConfig({}).clockAheadMs).toBe(0);
});

it('the daemon gets only the environment variables that it and its agents use', () => {
  const env = { PATH: '/bin', LC_ALL: 'C', SIGNALBOX_SLOTS: '3', ANTHROPIC_API_KEY: 'k', HTTPS_PROXY: 'p' };
  const { daemonEnv } = loadConfig({ ...env, SIGNALBOX_HOME: '/x', AWS_SECRET_ACCESS_KEY: 's', SSH_AUTH_SOCK: '/s' });
  expect(daemonEnv).toEqual({ ...env, SIGNALBOX_HOME: '/x' });
});

it('there is a slot for each GiB of memory, from 2 to 16 [CONF-9]', () => {
  const gib = 2 ** 30;
  expect([gib / 2, 3.9 * gib, 8 * gib, 512 * gib].map((bytes) => slotsByMemory(bytes))).toEqual([2, 3, 8, 16]);
});
