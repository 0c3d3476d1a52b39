// Reads the body of a request by its schema. The schemas and their library are loaded apart from the rest: they take longer
// to load than all else that a daemon needs before it can answer who is running.

import type { z } from 'zod';
import { type Exchange, readJson } from './http.ts';

type Requests = typeof import('../../wire/request-schemas.ts');

/** To be called soon after the start: the files of the build may be replaced while this daemon lives. */
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
