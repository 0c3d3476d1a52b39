import { expect, it } from 'vitest';
import { parsePs, parseStat } from './process-table.ts';

const tail = '1 77 78 0 -1 4194304 74 0 0 0 0 0 0 0 20 0 1 0 55868 3133440 384';

it('a command name with parentheses and spaces does not shift the fields', () => {
  for (const name of ['cat', 'a) R 1', ') (', 'x) Z 9 9 9']) {
    expect(parseStat(`123 (${name}) S ${tail}\n`)).toEqual({
      pid: 123,
      parent: 1,
      group: 77,
      session: 78,
      start: '55868',
      zombie: false,
      stopped: false,
    });
  }
});

it('an ended process is recognised by its state', () => {
  expect(parseStat(`123 (cat) Z ${tail}`)?.zombie).toBe(true);
  expect(parseStat(`123 (cat) T ${tail}`)?.stopped).toBe(true);
});

it('half a line is no process', () => {
  expect(parseStat('')).toBeNull();
  expect(parseStat('123 (cat) S 1 77')).toBeNull();
});

it('ps gives the same, with a start time of several words', () => {
  const text =
    '    1     0     1      0 Ss   Sat Nov 15 22:40:01 2025\n   42     1    42      0 Z    Sat Nov  1 02:03:04 2025\n';
  expect(parsePs(text)).toEqual([
    { pid: 1, parent: 0, group: 1, session: 0, start: 'Sat Nov 15 22:40:01 2025', zombie: false, stopped: false },
    { pid: 42, parent: 1, group: 42, session: 0, start: 'Sat Nov 1 02:03:04 2025', zombie: true, stopped: false },
  ]);
  expect(parsePs('\n')).toEqual([]);
});
