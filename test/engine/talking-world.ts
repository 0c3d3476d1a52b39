// Ports onto a world whose agents print what a test says, line by line through the real codec, and acknowledge their records.
// Nothing else happens in it by itself.

import { parseScript } from '../../src/harness/scripted/steps/script.ts';
import type { Ports } from '../../src/ports/engine-ports.ts';
import type { Journal } from '../../src/ports/journal.ts';
import type { LineBatch } from '../../src/ports/launch-port.ts';
import { quietWorld } from './quiet-world.ts';

export interface TalkingWorld {
  readonly ports: Ports;
  readonly warnings: string[];
  /** Processes that are there, by their launches. */
  readonly live: ReadonlySet<string>;
  /** Resolves when the line was read and what it did is in the journal. */
  say(launchId: string, line: string): Promise<void>;
  end(launchId: string, status: number): void;
}

interface Process {
  onLines(batch: LineBatch): Promise<void>;
  settle(end: { kind: 'ended'; status: number }): void;
  offset: number;
  said: Promise<void>;
}

export function talkingWorld(journal: Journal): TalkingWorld {
  const quiet = quietWorld(journal);
  const processes = new Map<string, Process>();
  const live = new Set<string>();
  const say = (launchId: string, line: string): Promise<void> => {
    const process = processes.get(launchId);
    if (process === undefined) return Promise.resolve();
    // One after the other, as they would stand in a file.
    process.said = process.said.then(() => {
      process.offset += line.length + 1;
      return process.onLines({ lines: [line], end: process.offset });
    });
    return process.said;
  };
  const end = (launchId: string, status: number): void => {
    const process = processes.get(launchId);
    live.delete(launchId);
    processes.delete(launchId);
    void process?.said.then(() => process.settle({ kind: 'ended', status }));
  };
  const launches: Ports['launches'] = {
    ...quiet.ports.launches,
    watch: (launchId, offset, onLines, signal) =>
      new Promise((settle, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error));
        processes.set(launchId, { onLines, settle, offset, said: Promise.resolve() });
        live.add(launchId);
      }),
    async write(launchId, offset, record) {
      for (const line of record.split('\n').filter((each) => each !== '')) {
        const told = JSON.parse(line) as { type: string; request?: { subtype?: string } };
        if (told.type === 'user') void say(launchId, JSON.stringify({ ...told, isReplay: true }));
        if (told.request?.subtype === 'end_session') end(launchId, 0);
      }
      return offset + record.length;
    },
    async signal(launchId) {
      end(launchId, 143);
    },
  };
  const harnessFlaw: Ports['harnessFlaw'] = (name, { script }) => {
    if (name !== 'scripted') return `there is no harness "${name}"`;
    try {
      if (script !== undefined) parseScript(script);
      return null;
    } catch (error) {
      return (error as Error).message;
    }
  };
  const ports: Ports = { ...quiet.ports, launches, harnessFlaw };
  return { ports, warnings: quiet.warnings, live, say, end };
}
