// The request schema of models by tier, by harness.

import { z } from 'zod';

const model = z.string().min(1).max(200);

/** Models by tier, by harness. */
export const models = z.record(
  z.string().min(1).max(100),
  z.strictObject({ strong: model.exactOptional(), fast: model.exactOptional(), cheap: model.exactOptional() }),
);
