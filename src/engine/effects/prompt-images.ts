// The images that a task's prompt carries, from their artifacts: as files in the agent's home, and as part of the record.

import { join } from 'node:path';
import type { Task } from '../../model/core/run.ts';
import type { Ports } from '../../ports/engine-ports.ts';
import type { HomeFile, Order } from '../../ports/harness.ts';
import { must } from '../../std/assert.ts';

/** Below the agent's home. */
const folder = 'attached';

export async function imageFiles(ports: Pick<Ports, 'artifacts'>, { spec }: Task): Promise<HomeFile[]> {
  const { attached = [] } = spec;
  return Promise.all(
    attached.map(async ({ artifact, type }, i) => ({
      path: join(folder, fileName(i, type)),
      text: Buffer.from(await dataOf(ports, artifact), 'base64'),
    })),
  );
}

export async function imagesOf(
  ports: Pick<Ports, 'artifacts'>,
  { spec }: Task,
  home: string,
): Promise<Pick<Order, 'images'>> {
  const { attached = [] } = spec;
  if (attached.length === 0) return {};
  const images = attached.map(async ({ artifact, type }, i) => {
    return { type, data: await dataOf(ports, artifact), path: join(home, folder, fileName(i, type)) };
  });
  return { images: await Promise.all(images) };
}

/** Not by the name that a person gave it, which may be any text. */
function fileName(i: number, type: string): string {
  return `${i + 1}.${type.replace('image/', '')}`;
}

type Artifact = NonNullable<Task['spec']['attached']>[number]['artifact'];

async function dataOf({ artifacts }: Pick<Ports, 'artifacts'>, id: Artifact): Promise<string> {
  const { value } = await artifacts.get(id);
  const data = typeof value === 'object' && value !== null && 'data' in value ? value['data'] : null;
  return must(typeof data === 'string' ? data : null, 'an image has data');
}
