// Commands of ours and their output, when this process has much else to do.

import { expect, it } from 'vitest';
import { type ChildOrder, runChild } from '../../../src/git/commands/run-process.ts';

const never = new AbortController().signal;

function order(script: string, onOutput: (text: string) => void): ChildOrder {
  return {
    argv: ['sh', '-c', script],
    cwd: '/',
    env: { PATH: process.env['PATH'] ?? '' },
    timeoutMs: 60_000,
    graceMs: 0,
    onOutput: (chunk) => (onOutput(chunk.toString()), true),
  };
}

/** Nothing else of this process goes on meanwhile. */
function hold(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

it("a command's output is read though its end is seen long before", async () => {
  let said = '';
  const late = runChild(
    order('sleep 0.8; echo said', (text) => (said += text)),
    never,
  );
  // Its output and its end are seen in one go. While its output is handled the other one prints and ends, which is seen
  // with its end; and before anything else is looked at, time passes.
  const early = runChild(
    order('echo now', () => {
      hold(1_000);
      setImmediate(hold, 1_500);
    }),
    never,
  );
  hold(400);
  expect(await early).toEqual({ kind: 'exited', code: 0 });
  expect(await late).toEqual({ kind: 'exited', code: 0 });
  expect(said).toBe('said\n');
});

it('a process that inherited the output of an ended command does not keep it open', async () => {
  let said = '';
  const from = performance.now();
  const fled = `setsid sh -c 'n=0; while [ $n -lt 40 ]; do echo more; sleep 0.1; n=$((n+1)); done' & echo said`;
  const end = await runChild(
    order(fled, (text) => (said += text)),
    never,
  );
  expect(end).toEqual({ kind: 'exited', code: 0 });
  expect(said).toContain('said\n');
  expect(performance.now() - from).toBeLessThan(3_500);
});
