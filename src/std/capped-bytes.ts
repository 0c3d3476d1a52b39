// Keeps the beginning and the end of a stream of bytes in bounded memory: what lies between is only counted.

export interface CappedBytes {
  push(chunk: Uint8Array): void;
  /** At most so many bytes of the kept end. */
  last(bytesMax: number): Buffer;
  /** Everything kept, with `gap` in place of the bytes left out. */
  whole(gap: (bytes: number) => string): Buffer;
}

/** Takes memory only as needed, and never more than both limits together. */
export function createCappedBytes({ headMax, tailMax }: { headMax: number; tailMax: number }): CappedBytes {
  let head = Buffer.alloc(0);
  let headBytes = 0;
  // A ring: the oldest byte is at `at` once it is full.
  let tail = Buffer.alloc(0);
  let at = 0;
  let tailBytes = 0;
  const toHead = (chunk: Uint8Array): void => {
    if (headBytes + chunk.length > head.length) {
      const grown = Buffer.alloc(Math.min(headMax, Math.max(2 * head.length, headBytes + chunk.length)));
      head.copy(grown, 0, 0, headBytes);
      head = grown;
    }
    head.set(chunk, headBytes);
    headBytes += chunk.length;
  };
  const toTail = (chunk: Uint8Array): void => {
    if (tail.length === 0) tail = Buffer.alloc(tailMax);
    tailBytes += chunk.length;
    let rest = chunk.subarray(Math.max(0, chunk.length - tailMax));
    while (rest.length > 0) {
      const part = rest.subarray(0, tailMax - at);
      tail.set(part, at);
      at = (at + part.length) % tailMax;
      rest = rest.subarray(part.length);
    }
  };
  const end = (): Buffer =>
    tailBytes <= tailMax ? tail.subarray(0, tailBytes) : Buffer.concat([tail.subarray(at), tail.subarray(0, at)]);
  return {
    push(chunk) {
      const fits = Math.min(chunk.length, headMax - headBytes);
      if (fits > 0) toHead(chunk.subarray(0, fits));
      if (fits < chunk.length) toTail(chunk.subarray(fits));
    },
    last(bytesMax) {
      const kept = end();
      if (kept.length >= bytesMax || tailBytes > tailMax) return Buffer.from(kept.subarray(-bytesMax));
      return Buffer.concat([head.subarray(0, headBytes), kept]).subarray(-bytesMax);
    },
    whole(gap) {
      const left = Math.max(0, tailBytes - tailMax);
      const between = left === 0 ? Buffer.alloc(0) : Buffer.from(gap(left));
      return Buffer.concat([head.subarray(0, headBytes), between, end()]);
    },
  };
}
