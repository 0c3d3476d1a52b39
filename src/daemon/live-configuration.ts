// The daemon's own values of the user's configuration file: slots, reminders and notifications. The file is checked every second, so that
// a change needs no restart; the YAML reader is loaded only if there is one. While the file is broken, the former values apply.
// An environment variable overrides the file.

import { statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { agentKinds } from '../harness/registry.ts';
import type { DaemonLog } from '../server/http/daemon-log.ts';
import { type Config, notifyOf } from './config.ts';
import { remindOf } from './remind-setting.ts';
import { configuredSlots, type Slots } from './slots.ts';

export interface LiveConfiguration {
  /** The present values for the engine: slots and reminders. */
  readonly engine: EngineSettings;
  readonly notify: Config['notify'];
  /** Why the file is not used; null = it is, or there is none. */
  readonly flaw: string | null;
  /** Reads the file if it has changed since it was read last; true = it has. */
  refresh(): Promise<boolean>;
  /** Reads it again whenever it has changed, until the signal; resolves then. */
  follow(onChange: (settings: EngineSettings) => void, everyMs: number, signal: AbortSignal): Promise<void>;
}

type EngineSettings = Slots & Pick<Config, 'remindMs'>;

export function openConfiguration(config: Config, log: DaemonLog): LiveConfiguration {
  const fixed = config.fromEnvironment;
  let slots: Slots = { slots: config.slots, harnessSlots: config.harnessSlots };
  let { notify, remindMs } = config;
  let flaw: string | null = null;
  let stamp: string | null = null;
  const read = async (): Promise<void> => {
    const { loadConfiguration } = await import('../configuration/configuration.ts');
    const { values, problems } = await loadConfiguration({ yours: config.configurationFile, top: null }, harnessNames);
    const [wrong] = problems;
    flaw = wrong === undefined ? null : `${wrong.file}:${wrong.line}: ${wrong.message}`;
    if (flaw !== null) return log.warn('configuration not used', { flaw });
    if (fixed['slots'] === undefined) slots = configuredSlots(values.slots);
    if (fixed['notify'] === undefined) notify = notifyOf(config.agentEnv, values.notify ?? '');
    if (fixed['remind'] === undefined) remindMs = remindOf(values.remind);
    log.info('configuration read', { slots: slots.slots });
  };
  const refresh = async (): Promise<boolean> => {
    const now = stampOf(config.configurationFile);
    if (now === stamp) return false;
    stamp = now;
    await read();
    return true;
  };
  const engine = (): EngineSettings => ({ ...slots, remindMs });
  return {
    get engine() {
      return engine();
    },
    get notify() {
      return notify;
    },
    get flaw() {
      return flaw;
    },
    refresh,
    async follow(onChange, everyMs, signal) {
      while (!signal.aborted) {
        if (await refresh()) onChange(engine());
        await delay(everyMs, undefined, { signal, ref: false }).catch(() => undefined);
      }
    },
  };
}

const harnessNames = {
  all: agentKinds.map(({ name }) => name),
  installable: agentKinds.filter(({ program }) => program !== undefined).map(({ name }) => name),
};

/** null = there is no file. */
function stampOf(path: string): string | null {
  try {
    const { ino, mtimeMs, size } = statSync(path);
    return [ino, mtimeMs, size].join(' ');
  } catch {
    return null;
  }
}
