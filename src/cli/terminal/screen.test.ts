import { describe, expect, it } from 'vitest';
import { createScreen, type TtyStream } from './screen.ts';

function fake(columns: number, rows: number) {
  const writes: string[] = [];
  const stream: TtyStream & { columns: number } = {
    columns,
    rows,
    write: (text) => writes.push(text),
    on: () => undefined,
    off: () => undefined,
  };
  return { stream, writes };
}

describe('a screen', () => {
  it('writes once for a change, and nothing without one', () => {
    const { stream, writes } = fake(20, 10);
    const screen = createScreen(stream);
    screen.draw(['a', 'b']);
    screen.draw(['a', 'b']);
    expect(writes).toHaveLength(1);
    screen.draw(['a', 'c']);
    expect(writes).toHaveLength(2);
    expect(writes[1]).toContain('\x1b[2A');
  });

  it('that became narrower erases the lines that were wrapped', () => {
    const { stream, writes } = fake(20, 10);
    const screen = createScreen(stream);
    screen.draw(['x'.repeat(15), 'short']);
    stream.columns = 10;
    screen.draw(['x'.repeat(9), 'short']);
    expect(writes[1]).toContain('\x1b[3A');
  });

  it('does not redraw what was drawn before it was released', () => {
    const { stream, writes } = fake(20, 10);
    const screen = createScreen(stream);
    screen.draw(['a']);
    screen.release();
    screen.erase();
    screen.draw(['b']);
    expect(writes).toHaveLength(2);
    // oxlint-disable-next-line no-control-regex -- that is what is looked for
    expect(writes[1]).not.toMatch(/\x1b\[\d+A/);
  });

  it('of unknown size uses the default size', () => {
    expect(createScreen(fake(0, 0).stream).size()).toEqual({ columns: 79, rows: 23 });
  });
});
