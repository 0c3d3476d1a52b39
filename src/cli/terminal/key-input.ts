// Single keys from the terminal. Owns the terminal's mode: restores it however this program ends, while another program has the
// terminal, and over Ctrl-Z.

export interface KeyInput {
  /** The terminal has its former mode until `resume`. */
  pause(): void;
  resume(): void;
  close(): void;
}

export type Key = 'up' | 'down' | 'enter' | 'quit' | 'interrupt' | 'escape' | (string & {});

/** The needed part of stdin. */
export interface KeyStream {
  setRawMode(on: boolean): unknown;
  resume(): unknown;
  pause(): unknown;
  on(event: 'data', listener: (chunk: Buffer) => void): unknown;
  off(event: 'data', listener: (chunk: Buffer) => void): unknown;
}

/** Signals that end a program which does nothing about them; they do so here too, after the mode is restored. */
const deadly = ['SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;

export function openKeys(stdin: KeyStream, onKey: (key: Key) => void): KeyInput {
  let open = false;
  let closed = false;
  const onData = (chunk: Buffer): void => {
    for (const key of keysIn(chunk.toString('utf8'))) {
      if (!open) return;
      if (key === 'suspend') suspend();
      else onKey(key);
    }
  };
  const take = (): void => {
    if (open || closed) return;
    open = true;
    stdin.setRawMode(true);
    stdin.on('data', onData);
    stdin.resume();
  };
  const give = (): void => {
    if (!open) return;
    open = false;
    stdin.off('data', onData);
    stdin.setRawMode(false);
    stdin.pause();
  };
  /** In this mode the terminal sends no signal for Ctrl-Z. */
  const suspend = (): void => {
    give();
    process.once('SIGCONT', take);
    process.kill(process.pid, 'SIGTSTP');
  };
  const end = deadly.map((signal) => {
    const listener = (): void => {
      give();
      forget();
      process.kill(process.pid, signal);
    };
    process.once(signal, listener);
    return () => process.off(signal, listener);
  });
  // Also after an uncaught error.
  process.once('exit', give);
  const forget = (): void => {
    for (const off of end) off();
    process.off('exit', give);
    process.off('SIGCONT', take);
  };
  take();
  return {
    pause: give,
    resume: take,
    close() {
      closed = true;
      give();
      forget();
    },
  };
}

const named: Readonly<Record<string, Key | 'suspend'>> = {
  '\x1b[A': 'up',
  '\x1bOA': 'up',
  k: 'up',
  '\x1b[B': 'down',
  '\x1bOB': 'down',
  j: 'down',
  '\r': 'enter',
  '\n': 'enter',
  q: 'quit',
  '\x03': 'interrupt',
  '\x04': 'quit',
  '\x1a': 'suspend',
  '\x1b': 'escape',
};

/** The keys that were pressed; unknown key sequences are skipped whole. */
export function keysIn(text: string): (Key | 'suspend')[] {
  // oxlint-disable-next-line no-control-regex -- what terminals send
  const parts = text.match(/\x1b\[[0-9;?]*[ -/]*[@-~]|\x1bO.|\x1b|[^\x1b]/gsu) ?? [];
  return parts.flatMap((part) => {
    const key = Object.hasOwn(named, part) ? named[part] : undefined;
    if (key !== undefined) return [key];
    return part.length === 1 && part >= ' ' ? [part] : [];
  });
}
