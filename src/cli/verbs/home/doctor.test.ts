import { expect, it } from 'vitest';
import { credentialFinding } from '../../../doctor/agent-findings.ts';
import {
  gitFinding,
  killsIn,
  mechanismFinding,
  nodeFinding,
  outsiderFindings,
  serviceIn,
} from '../../../doctor/machine-findings.ts';

it('a Node that is too old is reported as missing', () => {
  expect(nodeFinding('20.18.3')).toMatchObject({ state: 'missing', required: true });
  for (const version of ['20.19.0', '22.0.1', '100.0.0']) expect(nodeFinding(version).state).toBe('ok');
});

it('a git without merge-tree is reported as missing', () => {
  const git = (text: string) => gitFinding({ kind: 'said', text }, '/usr/bin');
  expect(git('git version 2.38.0')).toMatchObject({ state: 'ok', says: 'git 2.38.0.' });
  expect(git('git version 2.39.5 (Apple Git-154)').state).toBe('ok');
  expect(git('git version 3.0').state).toBe('ok');
  expect(git('git version 2.37.9')).toMatchObject({ state: 'missing', says: expect.stringContaining('2.38') });
  expect(git('what?').state).toBe('missing');
  expect(gitFinding({ kind: 'absent' }, '/usr/bin')).toMatchObject({ state: 'missing', required: true });
  expect(gitFinding({ kind: 'failed', why: 'bad luck' }, '/usr/bin').says).toContain('bad luck');
});

it('a mechanism that does not work is reported as degraded, and stops no run', () => {
  const mechanism = { name: 'namespace', says: 'No bubblewrap.', without: 'Things escape.', fix: 'Install it.' };
  expect(mechanismFinding({ ...mechanism, works: false })).toEqual({
    name: 'namespace',
    state: 'degraded',
    required: false,
    says: 'No bubblewrap. Things escape.',
    fix: 'Install it.',
  });
  expect(mechanismFinding({ ...mechanism, works: true })).toMatchObject({ state: 'ok', fix: null });
});

it('a system that ends processes at logout is reported, unless the user lingers', () => {
  const states = (kills: boolean | null, lingers: boolean | null) =>
    outsiderFindings({ killsUserProcesses: kills, lingers, service: null }).map(({ state }) => state);
  expect(states(true, false)).toEqual(['degraded']);
  expect(states(true, null)).toEqual(['degraded']);
  expect(states(true, true)).toEqual(['ok']);
  expect(states(false, false)).toEqual(['ok']);
  expect(states(null, null)).toEqual([]);
});

it('the last setting of logind counts, and comments do not', () => {
  expect(killsIn(['[Login]\n#KillUserProcesses=yes\n'])).toBe(false);
  expect(killsIn(['KillUserProcesses=yes\n'])).toBe(true);
  expect(killsIn(['KillUserProcesses=yes\n', '[Login]\nKillUserProcesses = no\n'])).toBe(false);
  expect(killsIn([])).toBe(false);
});

it('a systemd service that would kill agents with the daemon is found', () => {
  expect(serviceIn('0::/system.slice/ci-runner.service\n')).toBe('ci-runner.service');
  expect(serviceIn('9:pids:/\n1:name=systemd:/system.slice/cron.service\n')).toBe('cron.service');
  expect(serviceIn('0::/user.slice/user-1000.slice/session-3.scope\n')).toBe(null);
  expect(serviceIn('0::/user.slice/user-1000.slice/user@1000.service\n')).toBe(null);
  expect(serviceIn('0::/\n')).toBe(null);
  const [finding] = outsiderFindings({ killsUserProcesses: null, lingers: null, service: 'ci.service' });
  expect(finding).toMatchObject({ state: 'degraded', fix: expect.stringContaining('KillMode=process') });
});

it('a credential is shown as the running daemon has it, and an unreachable one is reported', () => {
  const common = { harness: 'claude', title: 'Claude Code', flaw: null };
  const key = { words: 'an API key', variable: 'ANTHROPIC_API_KEY', source: 'environment', ending: null } as const;
  const [none, some] = [
    { ...common, credential: null },
    { ...common, credential: key },
  ];
  expect(credentialFinding(some, null, '/c').says).toContain('in the environment of this terminal.');
  expect(credentialFinding(none, some, '/c')).toMatchObject({ state: 'ok', says: expect.stringContaining('daemon') });
  const unreached = credentialFinding(some, none, '/c');
  expect(unreached).toMatchObject({ state: 'missing', fix: expect.stringContaining('`signalbox down`') });
  const unsafe = credentialFinding({ ...none, flaw: '/c is a link' }, null, '/c');
  expect(unsafe).toMatchObject({ state: 'missing', says: '/c is a link.' });
});
