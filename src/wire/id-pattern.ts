// Ids made by the client, so that a repeated request has its effect once.

import { createIds, type IdSource } from '../model/core/ids.ts';

export const clientIds: IdSource = createIds(Date.now, Math.random);
