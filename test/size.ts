// How much a test tries. `npm test` proves each promise at a size that keeps it fast; `npm run test:full`, which sets CHAOS=1, at
// the whole size. docs/testing.md says what runs where.

export const isFull = process.env['CHAOS'] === '1';

export function sized<T>(core: T, full: T): T {
  return isFull ? full : core;
}
