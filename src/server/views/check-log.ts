// Sends the log of a check. Read-only.

import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { Fault } from '../../std/fault.ts';
import { diskFault, errnoOf } from '../../std/files.ts';
import { transcriptHeader } from '../../wire/transcript-headers.ts';
import type { Exchange } from '../http/http.ts';
import type { Served } from '../routes/route-context.ts';

export async function sendCheckLog(
  { checkLogPath }: Pick<Served, 'checkLogPath'>,
  { params, response, signal }: Exchange,
): Promise<null> {
  const name = params['log'] ?? '';
  const path = checkLogPath(name);
  if (path === null) throw new Fault('not_found', `"${name}" is not the name of a check log`);
  const file = await open(path, 'r').catch((error: unknown) => {
    if (errnoOf(error) === 'ENOENT')
      throw new Fault('not_found', `${path} is gone: the output of this check is not kept`);
    throw diskFault(error, path);
  });
  response.writeHead(200, {
    'content-type': 'application/octet-stream',
    [transcriptHeader]: encodeURIComponent(path),
  });
  await pipeline(file.createReadStream(), response, { signal });
  return null;
}
