// Parses the body of a request. The schemas and their library are loaded separately, because they take longer to load than
// everything else a daemon needs to answer `ps`.

import type { z } from 'zod';
import { type Exchange, readJson } from './http.ts';

type Requests = typeof import('../../wire/request-schemas.ts');

/** Call soon after the start: the files of the build may be replaced while this daemon runs. */
export function loadRequests(): Promise<Requests> {
  return import('../../wire/request-schemas.ts');
}

export async function readRequest<S extends z.ZodType>(
  exchange: Exchange,
  schemaIn: (requests: Requests) => S,
): Promise<z.output<S>> {
  const requests = await loadRequests();
  const body = await readJson(exchange.request, requests.requestBytesMax);
  return requests.parseRequest(schemaIn(requests), body);
}
