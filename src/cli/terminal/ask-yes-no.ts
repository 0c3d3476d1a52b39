// A yes/no question to the person at the terminal. Without a terminal the answer is no.

import { createInterface } from 'node:readline/promises';
import { canAsk } from './secret-input.ts';

export async function askYesNo(question: string): Promise<boolean> {
  if (!canAsk()) return false;
  const lines = createInterface({ input: process.stdin, output: process.stderr, historySize: 0 });
  try {
    const answer = await lines.question(`${question} [y/N] `);
    return /^y(es)?$/i.test(answer.trim());
  } catch {
    // Ctrl-C, or the terminal was closed.
    return false;
  } finally {
    lines.close();
  }
}
