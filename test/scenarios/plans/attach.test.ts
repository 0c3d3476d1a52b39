// Files that a prompt cannot carry are refused before anything starts.

import { writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { pixel } from '../harness/tiny-images.ts';
import { shareDaemon } from '../world/shared-world.ts';

const open = shareDaemon();

it('a file that is no image, is too large or is not there is refused with a sentence [IMG-2]', async () => {
  const world = open();
  const attach = async (name: string, content: Buffer | null) => {
    if (content !== null) writeFileSync(world.path(name), content);
    const { code, stderr } = await world.sb(['run', 'x', '--script', world.script([]), '--attach', world.path(name)]);
    return [code, stderr];
  };
  expect(await attach('fake.png', Buffer.from('<svg/>'))).toEqual([2, expect.stringContaining('is no PNG, JPEG')]);
  const large = Buffer.concat([pixel, Buffer.alloc(4_000_000)]);
  expect(await attach('large.png', large)).toEqual([2, expect.stringContaining('an image may have at most 3700000')]);
  expect(await attach('none.png', null)).toEqual([2, expect.stringContaining('cannot be attached: ENOENT')]);
  expect(await world.list()).toEqual([]);
});

it('an agent that sees no images is refused at submission [IMG-3]', async () => {
  const world = open();
  writeFileSync(world.path('shot.png'), pixel);
  const script = ['--script', world.script([])];
  const { code, stderr } = await world.sb(['run', 'x', ...script, '--attach', world.path('shot.png')]);
  expect([code, stderr]).toEqual([2, expect.stringContaining('which agents of "scripted" do not take')]);
});
