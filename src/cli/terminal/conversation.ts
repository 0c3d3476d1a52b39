// Prints lines while a person types: the line being typed stays at the bottom.

import { clearScreenDown, createInterface, cursorTo, moveCursor } from 'node:readline';
import { plainLine } from '../../std/plain-text.ts';
import type { Paint } from '../text/paint.ts';
import { textWidth } from '../text/text-width.ts';

export interface Conversation {
  /** Prints text above the line being typed. */
  show(text: string): void;
  close(): void;
}

export interface ConversationOptions {
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
  readonly paint: Paint;
  onLine(line: string): void;
  /** Escape. */
  onInterrupt(): void;
  /** Ctrl-C, or Ctrl-D on an empty line. */
  onLeave(): void;
}

export function openConversation({
  input,
  output,
  paint,
  onLine,
  onInterrupt,
  onLeave,
}: ConversationOptions): Conversation {
  const reader = createInterface({ input, output, terminal: true, historySize: 100, prompt: paint('cyan', '> ') });
  let closed = false;
  /** Clears the line being typed, over all its rows. */
  const clearTyped = (): void => {
    moveCursor(output, 0, -reader.getCursorPos().rows);
    cursorTo(output, 0);
    clearScreenDown(output);
  };
  reader.on('line', (line) => {
    // The line is shown again once sent, so remove what was typed.
    moveCursor(output, 0, -1 - Math.floor((textWidth(plainLine(line)) + 2) / (output.columns || 80)));
    cursorTo(output, 0);
    clearScreenDown(output);
    if (line.trim() !== '') onLine(line);
    if (!closed) reader.prompt();
  });
  const press = (_: unknown, key: { readonly name?: string } | undefined): void => {
    if (key?.name === 'escape') onInterrupt();
  };
  input.on('keypress', press);
  reader.on('SIGINT', onLeave);
  reader.on('close', () => {
    if (!closed) onLeave();
  });
  reader.prompt();
  return {
    show(text) {
      clearTyped();
      output.write(`${text}\n`);
      reader.prompt(true);
    },
    close() {
      closed = true;
      input.off('keypress', press);
      clearTyped();
      reader.close();
    },
  };
}
