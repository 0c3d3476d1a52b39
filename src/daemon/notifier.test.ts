import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Notice } from '../wire/notices.ts';
import type { RunView } from '../wire/views.ts';
import { createNotifier, desktopArgv } from './notifier.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'signalbox-notify-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const notice = { key: 'asks ask_1', runId: 'run_1' } as const;

function viewOf(asks: readonly object[]): RunView {
  const task = { id: 'task_1', name: 'tidy', kind: 'work', parent: null, attempts: 1, outcome: null, asks };
  const none = { reached: [] };
  const run = {
    id: 'run_1',
    name: 'docs',
    createdAt: 0,
    endedAt: null,
    outcome: null,
    ...none,
    asks: [],
    tasks: [task],
  };
  return run as unknown as RunView;
}

const permission = { tool: 'Bash', input: { command: '"$(touch owned)"' } };
const asked = { id: 'ask_1', kind: 'permission', state: 'open', since: 0, permission, budget: null };

function told(command: string, view = viewOf([asked])) {
  const lines: { message: string; fields: object }[] = [];
  const note = (message: string, fields: object) => void lines.push({ message, fields });
  const notify = { bell: true, desktop: false, command };
  const agentEnv = { PATH: process.env['PATH'], HOME: dir, ANTHROPIC_API_KEY: 'secret', SIGNALBOX_SLOTS: '3' };
  const log = { info: note, warn: note, error: note };
  const notifier = createNotifier({ config: { notify, home: dir, agentEnv }, log, look: async () => view });
  return { lines, flaw: notifier.tell(notice, new AbortController().signal) };
}

it('a command gets the notice as JSON on stdin, in an environment without credentials [NOTE-3]', async () => {
  const { flaw, lines } = told(`cat >'${dir}/told'; env >'${dir}/env'; echo heard`);
  expect(await flaw).toBeNull();
  const [line] = readFileSync(join(dir, 'told'), 'utf8').split('\n');
  expect(JSON.parse(line ?? '')).toMatchObject({ kind: 'asks', key: 'asks ask_1', run: 'docs', task: 'tidy' });
  const env = readFileSync(join(dir, 'env'), 'utf8');
  expect(env).toContain(`HOME=${dir}`);
  expect(env).not.toContain('secret');
  expect(lines).toMatchObject([{ message: 'person notified', fields: { output: 'heard\n' } }]);
});

it('a command that fails is logged with its output, and not retried [NOTE-3]', async () => {
  const { flaw, lines } = told('echo why >&2; exit 3');
  expect(await flaw).toBe('ended with 3');
  expect(lines).toMatchObject([{ message: 'notification failed', fields: { flaw: 'ended with 3', output: 'why\n' } }]);
});

it("a command's leftover processes are not waited for [NOTE-3]", async () => {
  const { flaw } = told('sleep 3 & exit 0');
  expect(await flaw).toBeNull();
});

it('an outdated notice is not sent [NOTE-4]', async () => {
  const { flaw, lines } = told(`touch '${dir}/told'`, viewOf([]));
  expect(await flaw).toBeNull();
  expect(lines).toEqual([]);
});

it("a desktop notification has an agent's words as an argument, without markup [NOTE-2]", () => {
  const shown = { run: 'docs', task: 'tidy', words: '"; rm -rf $(id) <b>&' } as Notice;
  const [, ...args] = desktopArgv(shown, 'linux');
  expect(args.slice(-3)).toEqual(['--', 'signalbox: docs/tidy', '"; rm -rf $(id) &lt;b&gt;&amp;']);
  expect(desktopArgv(shown, 'darwin').at(-1)).toBe(shown.words);
  expect(execFileSync('printf', ['%s\n', ...args], { encoding: 'utf8' })).toContain('$(id)');
});
