// What a word of a person means, asked of the daemon.

import { type Found, found } from '../wire/views.ts';
import type { Context } from './context.ts';

export function find({ client }: Pick<Context, 'client'>, word: string): Promise<Found> {
  return client.get(`/find?word=${encodeURIComponent(word)}`, found);
}
