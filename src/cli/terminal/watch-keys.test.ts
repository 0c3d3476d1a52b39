import { expect, it } from 'vitest';
import type { TaskView } from '../../wire/views.ts';
import { createWatchKeys } from './watch-keys.ts';

it('a permission is answered where all of it is shown, never from its row [SHOW-6]', async () => {
  const opened: (readonly string[])[] = [];
  const keys = createWatchKeys({
    open: async (args) => void opened.push(args),
    stop: async () => '',
    interrupt: async () => '',
    redraw: () => undefined,
    leave: () => undefined,
  });
  const ask = { id: 'ask_1', state: 'open', kind: 'permission', permission: { tool: 'Bash', input: {} } };
  keys.see([{ id: 'task_1', name: 't', outcome: null, asks: [ask] } as unknown as TaskView]);
  keys.press('a');
  await keys.drained();
  expect(opened).toEqual([['answer', 'ask_1']]);
  expect(keys.footer()).not.toContain('y/n');
});
