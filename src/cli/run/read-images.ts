// The images that a prompt carries, from their files: type by content, sizes within limits.

import { readFile, stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { Fault } from '../../std/fault.ts';
import { errnoOf } from '../../std/files.ts';
import { imageTypeOf } from '../../std/image-type.ts';
import { imageLimits } from '../../wire/image-request.ts';
import type { CreateRunInput } from '../../wire/request-schemas.ts';

type Images = NonNullable<CreateRunInput['tasks'][number]['images']>;

/** Paths are relative to `folder`. Throws a Fault that names the first file that cannot be attached, and why. */
export async function readImages(files: readonly string[], folder: string): Promise<Images> {
  if (files.length > imageLimits.count) {
    throw new Fault('bad_request', `${files.length} attached files: a prompt carries at most ${imageLimits.count}`);
  }
  return Promise.all(
    files.map(async (file) => {
      const bytes = await contentOf(resolve(folder, file), file);
      if (imageTypeOf(bytes) === null) {
        throw new Fault('bad_request', `${file} is no PNG, JPEG, GIF or WebP image, which is what a prompt can carry`);
      }
      return { name: basename(file), data: bytes.toString('base64') };
    }),
  );
}

async function contentOf(path: string, shown: string): Promise<Buffer> {
  try {
    const stats = await stat(path);
    if (!stats.isFile()) throw new Fault('bad_request', `${shown} is no file`);
    if (stats.size > imageLimits.bytes) {
      throw new Fault(
        'bad_request',
        `${shown} has ${stats.size} bytes: an image may have at most ${imageLimits.bytes}`,
      );
    }
    return await readFile(path);
  } catch (cause) {
    if (cause instanceof Fault) throw cause;
    throw new Fault('bad_request', `${shown} cannot be attached: ${errnoOf(cause) ?? String(cause)}`, { cause });
  }
}

/** All of a request, which has a limit of its own. */
export function refuseTooMuch(tasks: CreateRunInput['tasks']): void {
  const bytes = tasks.flatMap(({ images = [] }) => images).reduce((sum, { data }) => sum + (data.length * 3) / 4, 0);
  if (bytes <= imageLimits.together) return;
  throw new Fault(
    'bad_request',
    `the attached files have ${Math.round(bytes)} bytes together: a run may have at most ${imageLimits.together}`,
  );
}
