import { describe, expect, it } from 'vitest';
import * as z from './answer-shape.ts';

const failure = z.object({ reason: z.string(), detail: z.string() });
const outcome = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('done'), commit: z.string() }),
  z.object({ kind: z.literal('failed'), failure }),
]);
const task = z.object({
  name: z.string(),
  state: z.enum(['open', 'ended']).nullable(),
  tries: z.number().default(1),
  outcome: outcome.nullable().default(null),
  env: z.record(z.string(), z.number()).default({}),
  input: z.unknown(),
});
const list = z.object({ tasks: z.array(task), all: z.boolean() });

const flawOf = (value: unknown): string => {
  const read = list.safeParse(value);
  return read.success ? 'none' : `${read.error.path.join('.')}: ${read.error.message}`;
};

describe('a shape', () => {
  it('keeps known fields, fills in defaults, and drops unknown ones', () => {
    const given = { name: 'a', state: null, outcome: { kind: 'done', commit: 'c', later: 1 }, input: [1], newer: true };
    expect(list.parse({ tasks: [given], all: false, more: 1 })).toEqual({
      tasks: [{ name: 'a', state: null, tries: 1, outcome: { kind: 'done', commit: 'c' }, env: {}, input: [1] }],
      all: false,
    });
  });

  it('names the place of an error and what was expected', () => {
    const good = { name: 'a', state: 'open', input: null };
    expect(flawOf({ tasks: [good], all: true })).toBe('none');
    expect(flawOf(null)).toBe(': not an object');
    expect(flawOf([])).toBe(': not an object');
    expect(flawOf({ tasks: {}, all: true })).toBe('tasks: not a list');
    expect(flawOf({ tasks: [good] })).toBe('all: not true or false');
    expect(flawOf({ tasks: [good, { ...good, name: 1 }] })).toBe('tasks.1.name: not a text');
    expect(flawOf({ tasks: [{ ...good, state: 'odd' }] })).toBe('tasks.0.state: not one of open, ended');
    expect(flawOf({ tasks: [{ ...good, tries: null }] })).toBe('tasks.0.tries: not a number');
    expect(flawOf({ tasks: [{ ...good, env: { a: 'b' } }] })).toBe('tasks.0.env.a: not a number');
    expect(flawOf({ tasks: [{ ...good, outcome: { kind: 'odd' } }] })).toBe('tasks.0.outcome: not of a known kind');
    expect(flawOf({ tasks: [{ ...good, outcome: { kind: 'failed', failure: { reason: 'r' } } }] })).toBe(
      'tasks.0.outcome.failure.detail: not a text',
    );
  });

  it('throws the error when asked to parse', () => {
    expect(() => list.parse({})).toThrow(z.Mismatch);
  });

  it('can be extended', () => {
    const wider = failure.extend({ detail: z.string().nullable(), at: z.number() });
    expect(wider.parse({ reason: 'r', detail: null, at: 1 })).toEqual({ reason: 'r', detail: null, at: 1 });
  });
});
