// Ids that a client mints, so that a request which is asked again after a broken connection has its effect once.

import { createIds, type IdSource } from '../model/core/ids.ts';

export const clientIds: IdSource = createIds(Date.now, Math.random);
