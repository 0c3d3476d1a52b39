// Chooses how launches are confined on this machine: in the sandbox if the task asks for one, else by whatever keeps their
// processes together. A task that asked for a sandbox is never started without one.

import { type Confine, namespaceConfine, plainConfine, probeNamespace } from '../process/confine.ts';
import { describeSandbox, openSandbox, probeSandbox, type Sandbox, type SandboxOptions } from '../sandbox/sandbox.ts';
import { Fault } from '../std/fault.ts';
import type { StatusView } from '../wire/status-views.ts';
import type { Config } from './config.ts';

export interface Confinement extends Pick<StatusView, 'confinement' | 'sandbox'> {
  /** Writes to Signalbox's home: only the holder of its lock may call it. */
  open(): Promise<Walls>;
}

/** How launches, and commands that run an agent's code, are confined. */
export interface Walls {
  readonly confine: Confine;
  readonly command: Sandbox['command'];
}

/** Tries the mechanisms of this machine and changes nothing. */
export async function chooseConfinement(config: Config): Promise<Confinement> {
  if (config.confine === 'none') return without('SIGNALBOX_CONFINE is none');
  const [namespace, sandbox] = await Promise.all([probeNamespace(), probeSandbox(sandboxOptions(config))]);
  const { kind, why, confine } = namespace.works
    ? ({ kind: 'namespace', why: null, confine: namespaceConfine } as const)
    : ({ kind: 'plain', why: namespace.why, confine: plainConfine } as const);
  if (!sandbox.works) return { ...without(sandbox.why, confine), confinement: { kind, why } };
  return {
    confinement: { kind, why },
    sandbox: { works: true, says: describeSandbox(sandbox), why: null },
    async open() {
      const inside = await openSandbox(config.home, sandbox);
      return {
        confine: (argv, context) => (context.reach === null ? confine : inside.confine)(argv, context),
        command: inside.command,
      };
    },
  };
}

export function sandboxOptions(config: Config): SandboxOptions {
  const { home, cache, userHome, agentPath: path, agentEnv: env, sandboxReadable, sandboxWritable } = config;
  return { home, cache, userHome, path, env, readable: sandboxReadable, writable: sandboxWritable };
}

function refuse(why: string): never {
  throw new Fault(
    'launch_failed',
    `the task requires a sandbox, which does not work any more: ${why} (see signalbox doctor)`,
  );
}

function without(why: string, confine: Confine = plainConfine): Confinement {
  return {
    confinement: { kind: 'plain', why },
    sandbox: { works: false, says: '', why },
    open: async () => ({
      confine: (argv, context) => (context.reach === null ? confine(argv, context) : refuse(why)),
      command: () => refuse(why),
    }),
  };
}
