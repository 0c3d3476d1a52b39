// For tests of recovery: kills the daemon with SIGKILL right after the n-th change it made to the world or to the journal. It
// wraps the ports and their inner steps, which know nothing of it. Without a number nothing is wrapped.

import { writeRef } from '../git/commands/refs.ts';
import { type IntegrationsOptions } from '../git/integrate/integrate.ts';
import type { Ports } from '../ports/engine-ports.ts';
import type { DaemonLog } from '../server/http/daemon-log.ts';
import type { Config } from './config.ts';

export interface FaultPoints {
  ports(ports: Ports): Ports;
  /** An integration is one call; its tests and the move of the branch are fault points of their own. */
  integrations(options: IntegrationsOptions): IntegrationsOptions;
  /** A landing reports its own steps. */
  readonly landing: (step: string) => void;
}

export function openFaultPoints(dieAfter: Config['dieAfter'], log: DaemonLog): FaultPoints {
  if (dieAfter === null) return { ports: (ports) => ports, integrations: (options) => options, landing: () => {} };
  const { steps, of } = dieAfter;
  let passed = 0;
  const point = (name: string): void => {
    if (!name.startsWith(of)) return;
    passed += 1;
    if (passed !== steps) return;
    log.warn('fault point', { name, passed });
    process.kill(process.pid, 'SIGKILL');
  };
  return {
    ports: (ports) => pointedPorts(ports, point),
    integrations: (options) => pointedIntegrations(options, point),
    landing: (step) => point(`landings.${step}`),
  };
}

type Point = (name: string) => void;

function pointedPorts(ports: Ports, point: Point): Ports {
  /** The same methods; each of those named is a fault point once it has done its work. */
  const pointed = <T extends object>(port: T, name: string, methods: readonly (keyof T & string)[]): T => {
    const wrapped: Partial<Record<keyof T, unknown>> = {};
    for (const method of methods) {
      const call = port[method] as (...args: unknown[]) => Promise<unknown>;
      wrapped[method] = async (...args: unknown[]) => {
        const answer = await call.apply(port, args);
        point(`${name}.${method}`);
        return answer;
      };
    }
    return { ...port, ...wrapped };
  };
  return {
    ...ports,
    journal: pointed(ports.journal, 'journal', ['append', 'saveSnapshot']),
    launches: pointed(ports.launches, 'launches', ['start', 'watch', 'write', 'signal']),
    workspaces: pointed(ports.workspaces, 'workspaces', ['prepare', 'save']),
    prover: pointed(ports.prover, 'prover', ['prove']),
    integrations: pointed(ports.integrations, 'integrations', ['integrate']),
    landings: pointed(ports.landings, 'landings', ['land']),
    artifacts: pointed(ports.artifacts, 'artifacts', ['put']),
    homes: pointed(ports.homes, 'homes', ['prepare']),
  };
}

function pointedIntegrations(options: IntegrationsOptions, point: Point): IntegrationsOptions {
  const { test, move = writeRef } = options;
  return {
    ...options,
    async test(order, signal) {
      const items = await test(order, signal);
      point('integrations.test');
      return items;
    },
    async move(...args) {
      point('integrations.toMove');
      await move(...args);
      point('integrations.move');
    },
  };
}
