// Budgets that keep a task from beginning, in an engine with few slots.

import { expect, it } from 'vitest';
import { openMemoryJournal } from '../../src/store/memory/memory-journal.ts';
import { until } from '../until.ts';
import { submit, withEngine } from './quiet-world.ts';

it('an exhausted budget is reported also when the slot for its task comes free in another run [BUD-4]', async () => {
  await withEngine(
    openMemoryJournal(),
    async (engine, world) => {
      const told = () => engine.look(({ runs }) => runs.get('run_b')?.openAsks.size);
      await engine.send(...submit('a', '1'));
      await until(() => world.started.length === 1, { what: 'the first takes the only slot' });
      await engine.send(...submit('b', '1'));
      await engine.send('run_b', { type: 'setBudget', scope: { of: 'run' }, budget: { turns: 0 }, by: 'ann' });
      expect(await told()).toBe(0);
      const down = { type: 'down', launchId: 'launch_a1-1-1', status: 1, turn: null } as const;
      await until(async () => (await engine.send('run_a', down)).kind === 'accepted', { what: 'its process ends' });
      await until(async () => (await told()) === 1, { what: 'a person is told' });
    },
    { slots: 1 },
  );
});
