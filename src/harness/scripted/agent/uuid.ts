// A session id in the form of Claude Code's.

import { openSync, readSync } from 'node:fs';

/** Without node:crypto, which takes longer to load than everything else here. */
export function randomUuid(): string {
  const bytes = Buffer.alloc(16);
  readSync(openSync('/dev/urandom', 'r'), bytes);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
