// Where the worker's program is.

import { existsSync } from 'node:fs';
import { builtFile } from '../../std/built-file.ts';
import { Fault } from '../../std/fault.ts';

export function workerFile(): string {
  const file = builtFile('store/sqlite/worker.cjs');
  if (!existsSync(file)) throw new Fault('store_failed', `${file} is missing: build first`);
  return file;
}
