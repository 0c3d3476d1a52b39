// Notifies people from the daemon, with the user's own command or on the desktop. (A terminal that follows a run rings
// its bell by itself.) Text of agents is data: JSON on the command's stdin, an argument of the desktop's program, never
// part of a shell script.

import { spawn } from 'node:child_process';
import type { Engine } from '../engine/engine.ts';
import type { Notice } from '../model/asks/notices.ts';
import { remindedKey } from '../model/asks/reminders.ts';
import type { NotifierPort } from '../ports/engine-ports.ts';
import type { DaemonLog } from '../server/http/daemon-log.ts';
import { bareSource, viewRun } from '../server/views/run-view.ts';
import type { Notice as Told } from '../wire/notices.ts';
import type { RunView } from '../wire/views.ts';
import type { Config } from './config.ts';
import type { LiveConfiguration } from './live-configuration.ts';

export interface NotifierOptions {
  readonly config: Pick<Config, 'notify' | 'home' | 'agentEnv'>;
  readonly log: DaemonLog;
  /** A run as people see it; null = there is none. */
  look(runId: Notice['runId']): Promise<RunView | null>;
}

/** The end of a shorter run raises no notification: its user is still there. */
const shortMs = 10_000;
const commandMaxMs = 10_000;
const outputMax = 4_000;

export function createNotifier({ config, log, look }: NotifierOptions): NotifierPort {
  const env = environmentOf(config);
  return {
    async tell({ key, runId }, signal) {
      const { desktop, command } = config.notify;
      if (!desktop && command === null) return null;
      const run = await look(runId);
      const { noticesOf } = await import('../wire/notices.ts');
      const notice =
        run === null ? undefined : noticesOf(run, Date.now()).find((each) => each.key === remindedKey(key));
      // It was answered or retried, or its limit was raised: the notice is out of date.
      if (notice === undefined) return null;
      if (command === null && notice.kind === 'ended' && notice.tookMs < shortMs) return null;
      const [argv, input] =
        command === null
          ? [desktopArgv(notice), '']
          : [['sh', '-c', command], `${JSON.stringify({ ...notice, key })}\n`];
      const { flaw, output } = await runProgram(argv, input, env, signal);
      const fields = { key, program: command === null ? (argv[0] ?? '') : 'SIGNALBOX_NOTIFY', output };
      if (flaw === null) log.info('person notified', fields);
      else log.warn('notification failed', { ...fields, flaw });
      return flaw;
    },
  };
}

/** The notifier reads runs through the engine that calls it: `begun` passes that engine in. */
export function openNotifier(
  { home, agentEnv }: Config,
  configuration: LiveConfiguration,
  log: DaemonLog,
): { notifier: NotifierPort; begun(engine: Engine): void } {
  let begun: (engine: Engine) => void = () => undefined;
  const started = new Promise<Engine>((resolve) => (begun = resolve));
  const look: NotifierOptions['look'] = async (runId) => {
    return (await started).lookRun(runId, (run, ledger) => (run === null ? null : viewRun(run, ledger, bareSource)));
  };
  const config = {
    home,
    agentEnv,
    get notify() {
      return configuration.notify;
    },
  };
  return { notifier: createNotifier({ config, log, look }), begun };
}

/** What a program of the user's session needs, without the agents' credentials. */
function environmentOf({ home, agentEnv }: NotifierOptions['config']): Record<string, string> {
  const known = Object.entries(agentEnv).flatMap(([name, value]) =>
    value !== undefined && (named.has(name) || prefixes.test(name)) ? [[name, value] as const] : [],
  );
  return { ...Object.fromEntries(known), SIGNALBOX_HOME: home };
}

const named = new Set([
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'LANG',
  'TZ',
  'TMPDIR',
  'DISPLAY',
  'WAYLAND_DISPLAY',
  'DBUS_SESSION_BUS_ADDRESS',
]);
const prefixes = /^(XDG|LC)_/;

/** Text of agents is an argument, never part of a program. */
export function desktopArgv({ run: name, task, words }: Told, platform: string = process.platform): string[] {
  const title = `signalbox: ${task === null ? name : `${name}/${task}`}`;
  if (platform === 'darwin') {
    const script = 'display notification (item 2 of argv) with title (item 1 of argv)';
    return ['osascript', '-e', 'on run argv', '-e', script, '-e', 'end run', '--', title, words];
  }
  // Bodies of notifications may hold markup.
  const body = words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return ['notify-send', '--app-name=signalbox', '--', title, body];
}

interface Ended {
  /** null: it succeeded. */
  readonly flaw: string | null;
  readonly output: string;
}

function runProgram(
  [command = '', ...args]: readonly string[],
  input: string,
  env: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'pipe'], detached: true });
    let output = '';
    let late = false;
    const kill = (): void => {
      try {
        // Kills the whole process group.
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      } catch {
        // It has just ended.
      }
    };
    const timer = setTimeout(() => {
      late = true;
      kill();
    }, commandMaxMs);
    signal.addEventListener('abort', kill, { once: true });
    const end = (flaw: string | null): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', kill);
      resolve({ flaw, output });
    };
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output = (output + text).slice(0, outputMax);
      });
    }
    child.once('error', (error) => end(`could not be started: ${error.message}`));
    child.once('exit', (status, by) => {
      const how = late
        ? `was ended after ${commandMaxMs / 1_000} s`
        : by === null
          ? `ended with ${status}`
          : `was ended by ${by}`;
      end(status === 0 ? null : how);
      // Background processes of the command may keep these open.
      child.stdout.destroy();
      child.stderr.destroy();
    });
    // A command need not read its input.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
}
