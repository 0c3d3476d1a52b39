// The images of a request become artifacts before its run is created: the journal names them by their content.

import type { Attachment } from '../../model/core/attachment.ts';
import { Fault } from '../../std/fault.ts';
import { imageTypeOf } from '../../std/image-type.ts';
import type { CreateRun } from '../../wire/request-schemas.ts';
import type { Served } from './route-context.ts';

type TaskRequest = CreateRun['tasks'][number];

/** Why the agent of a task cannot have them; null = it can. */
export function flawOfImages(
  served: Pick<Served, 'capabilities'>,
  { images = [], harness }: TaskRequest,
): string | null {
  if (images.length === 0) return null;
  if (harness === undefined || !served.capabilities(harness).includes('images')) {
    return `its prompt carries images, which agents of "${harness ?? 'no harness'}" do not take; write what they show into the prompt`;
  }
  const other = images.find(({ data }) => imageTypeOf(Buffer.from(data, 'base64')) === null);
  return other === undefined ? null : `"${other.name}" is no PNG, JPEG, GIF or WebP image`;
}

/** By the name of the task. */
export async function storeImages(
  { artifacts }: Pick<Served, 'artifacts'>,
  tasks: readonly TaskRequest[],
): Promise<ReadonlyMap<string, readonly Attachment[]>> {
  const stored = new Map<string, readonly Attachment[]>();
  for (const { name: task, images = [] } of tasks) {
    const all: Attachment[] = [];
    for (const { name, data } of images) {
      const content = Buffer.from(data, 'base64');
      const type = imageTypeOf(content);
      if (type === null) throw new Fault('bad_request', `"${name}" is no image`);
      const { id } = await artifacts.put('image', { name, type, data });
      all.push({ name, type, bytes: content.length, artifact: id });
    }
    if (all.length > 0) stored.set(task, all);
  }
  return stored;
}
