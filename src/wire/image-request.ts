// The schema of images that a task's prompt carries. Their content is stored as artifacts; the task names them.

import { z } from 'zod';
import { imageBytesMax, imagesBytesMax, imagesMax } from '../model/core/attachment.ts';

export const imageLimits = { bytes: imageBytesMax, count: imagesMax, together: imagesBytesMax } as const;

export const images = z
  .array(
    z.strictObject({
      name: z.string().min(1).max(200),
      /** Base64. */
      data: z.base64().max(Math.ceil(imageBytesMax / 3) * 4),
    }),
  )
  .max(imagesMax);
