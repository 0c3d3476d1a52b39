// Images that a prompt carries, on the real Claude Code: the model sees their bytes.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { model, onRealCli } from '../spending/limits-real-cli.ts';
import { pixel } from './tiny-images.ts';

onRealCli('an attached image', (begin) => {
  it('real CLI: reaches the model, from the command line and from a plan [IMG-1]', async (context) => {
    const { world, prompt, asked } = begin(context);
    const sees = (): boolean => asked().some(({ body }) => JSON.stringify(body).includes(pixel.toString('base64')));
    writeFileSync(world.path('shot.png'), pixel);
    const ask = prompt([{ say: 'A pixel.' }]);
    const ended = await world.sb([
      'run',
      ask,
      '--attach',
      world.path('shot.png'),
      '--harness',
      'claude',
      '--model',
      model,
    ]);
    expect(ended.code, ended.stderr).toBe(0);
    expect(sees()).toBe(true);
    const events = await world.sb(['events', '--json']);
    expect(events.stdout).toMatch(
      /"attached":\[\{"name":"shot.png","type":"image\/png","bytes":\d+,"artifact":"artifact_/,
    );
    expect(events.stdout).not.toContain(pixel.toString('base64'));
    const before = asked().length;
    writeFileSync(join(world.repo, 'shot.png'), pixel);
    const task = { prompt: prompt([{ say: 'Again.' }]), attach: 'shot.png', harness: 'claude', model };
    writeFileSync(join(world.repo, 'look.plan.yaml'), JSON.stringify({ name: 'look', tasks: { look: task } }));
    const planned = await world.sb(['run', 'look.plan.yaml']);
    expect(planned.code, planned.stderr).toBe(0);
    const later = asked().slice(before);
    expect(later.some(({ body }) => JSON.stringify(body).includes(pixel.toString('base64')))).toBe(true);
  });
});
