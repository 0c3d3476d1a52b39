// An image that a task's prompt carries. Its content is an artifact.

import type { ImageType } from '../../std/image-type.ts';
import type { ArtifactId } from './ids.ts';

export interface Attachment {
  readonly name: string;
  readonly type: ImageType;
  readonly bytes: number;
  readonly artifact: ArtifactId;
}

/** What services take of one image, as base64 in 5 MB; of a task; and of a request together. */
export const imageBytesMax = 3_700_000;
export const imagesMax = 10;
export const imagesBytesMax = 10_000_000;
