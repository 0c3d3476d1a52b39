// A session that a person began by hand and that a task continues. The file is a copy: the person's own is never written.

export interface AdoptedSession {
  readonly session: string;
  /** Where the person's file was. */
  readonly source: string;
  /** Of the copy. What was used before is not the task's. */
  readonly bytes: number;
}

/** A session is a conversation: longer ones are not worth continuing. */
export const sessionBytesMax = 256 * 2 ** 20;
