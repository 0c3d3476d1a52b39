// How fast the `tail` of this machine notices a new record: its own way of waiting differs between systems.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { trustedPath } from '../trusted-path.ts';

let polled: Promise<string> | undefined;

/** How often tail looks where it gets no notifications, if this one can be told; else it is once a second. */
export function tailPoll(): Promise<string> {
  polled ??= promisify(execFile)('tail', ['-s', '0.1', '-n', '0', '/dev/null'], { env: { PATH: trustedPath } }).then(
    () => '0.1',
    () => '',
  );
  return polled;
}
