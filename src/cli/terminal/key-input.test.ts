// What keys mean, and that the terminal's mode is restored.

import { expect, it } from 'vitest';
import { keysIn, openKeys } from './key-input.ts';

it('arrows, characters and control keys are told apart, and other sequences mean nothing', () => {
  expect(keysIn('\x1b[A\x1b[Bjk\r')).toEqual(['up', 'down', 'down', 'up', 'enter']);
  expect(keysIn('sa\x03\x04\x1aq')).toEqual(['s', 'a', 'interrupt', 'quit', 'suspend', 'quit']);
  expect(keysIn('\x1b[1;5C\x1b[3~\x00\x1b')).toEqual(['escape']);
});

it('the mode of the terminal is restored on pause, close and exit [TTY-8]', () => {
  const modes: boolean[] = [];
  const stream = {
    setRawMode: (on: boolean) => modes.push(on),
    resume: () => undefined,
    pause: () => undefined,
    on: () => undefined,
    off: () => undefined,
  };
  const keys = openKeys(stream, () => undefined);
  keys.pause();
  keys.pause();
  keys.resume();
  keys.close();
  expect(modes).toEqual([true, false, true, false]);
  const before = process.listenerCount('exit');
  openKeys(stream, () => undefined).close();
  expect(process.listenerCount('exit')).toBe(before);
});
