// Images that a prompt carries, on the real Codex.

import { writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { pixel } from '../scenarios/harness/tiny-images.ts';
import { onCodex } from './codex-world.ts';

onCodex('an attached image', (begin) => {
  it('real Codex: reaches the model [IMG-1]', async (context) => {
    const { world, prompt, asked } = begin(context);
    writeFileSync(world.path('shot.png'), pixel);
    const image = ['--attach', world.path('shot.png')];
    const ended = await world.sb(['run', prompt([{ say: 'A pixel.' }]), ...image, '--harness', 'codex']);
    expect(ended.code, ended.stderr).toBe(0);
    expect(asked().some(({ body }) => /"input_image".*data:image\/png;base64,/.test(JSON.stringify(body)))).toBe(true);
  });
});
