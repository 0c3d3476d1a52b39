// For tests of recovery: lets the daemon die by SIGKILL right after the n-th thing that it has done to the world or to the
// record. It wraps the ports, and what a port does in several steps, so that nobody behind or before them knows. Without a
// number nothing is wrapped.

import type { Config } from './config.ts';
import type { Ports } from '../ports/engine-ports.ts';
import { type LandingsOptions } from '../git/integrate/integrate.ts';
import { writeRef } from '../git/commands/refs.ts';
import type { DaemonLog } from '../server/http/daemon-log.ts';

export interface FaultPoints {
  ports(ports: Ports): Ports;
  /** A landing is one call: what it tests, and the move of the branch, are points of their own. */
  landings(options: LandingsOptions): LandingsOptions;
  /** The steps of a delivery tell of themselves. */
  readonly delivering: (step: string) => void;
}

export function openFaultPoints(dieAfter: Config['dieAfter'], log: DaemonLog): FaultPoints {
  if (dieAfter === null) return { ports: (ports) => ports, landings: (options) => options, delivering: () => {} };
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
    landings: (options) => pointedLandings(options, point),
    delivering: (step) => point(`deliveries.${step}`),
  };
}

type Point = (name: string) => void;

function pointedPorts(ports: Ports, point: Point): Ports {
  /** The same methods, each of those named a point when it has done its work. */
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
    landings: pointed(ports.landings, 'landings', ['land']),
    deliveries: pointed(ports.deliveries, 'deliveries', ['deliver']),
    artifacts: pointed(ports.artifacts, 'artifacts', ['put']),
    homes: pointed(ports.homes, 'homes', ['prepare']),
  };
}

function pointedLandings(options: LandingsOptions, point: Point): LandingsOptions {
  const { test, move = writeRef } = options;
  return {
    ...options,
    async test(order, signal) {
      const items = await test(order, signal);
      point('landings.test');
      return items;
    },
    async move(...args) {
      point('landings.toMove');
      await move(...args);
      point('landings.move');
    },
  };
}
