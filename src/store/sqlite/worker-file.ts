// Where the worker's program is. A worker thread cannot load TypeScript on every Node we support, so code that
// runs from its sources (under the test runner) uses the compiled worker.

import { existsSync } from 'node:fs';
import { Fault } from '../../std/fault.ts';

export function workerFile(): URL {
  const here = import.meta.url;
  if (!here.endsWith('.ts')) return new URL('./worker.js', here);
  const built = new URL('../../../dist/store/sqlite/worker.js', here);
  if (!existsSync(built)) throw new Fault('store_failed', 'dist/store/sqlite/worker.js is missing: build first');
  return built;
}
