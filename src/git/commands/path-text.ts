// File names as text. git's names are bytes; they are read as latin1, which keeps every byte.

import { Buffer } from 'node:buffer';

/** UTF-8 names as they are; in any other name bytes that are not ASCII are escaped. */
export function pathText(latin1: string): string {
  try {
    return utf8.decode(Buffer.from(latin1, 'latin1'));
  } catch {
    return latin1.replaceAll(/[\\\u0080-\u00ff]/g, (byte) =>
      byte === '\\' ? '\\\\' : `\\x${byte.charCodeAt(0).toString(16)}`,
    );
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
