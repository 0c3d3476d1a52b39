// For tests of recovery: lets the daemon die by SIGKILL right after the n-th thing that it has done to the world or to the
// record. It wraps the ports, so that nobody behind or before them knows. Without a number nothing is wrapped.

import type { Ports } from './engine/ports.ts';

/** `dieAfter`: null = never. */
export function withFaultPoints(ports: Ports, dieAfter: number | null): Ports {
  if (dieAfter === null) return ports;
  let passed = 0;
  const point = (name: string): void => {
    passed += 1;
    if (passed !== dieAfter) return;
    ports.log.warn('fault point', { name, passed });
    process.kill(process.pid, 'SIGKILL');
  };
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
    deliveries: pointed(ports.deliveries, 'deliveries', ['deliver']),
    artifacts: pointed(ports.artifacts, 'artifacts', ['put']),
    homes: pointed(ports.homes, 'homes', ['prepare']),
  };
}
