// The options that a task and `defaults` share, listed once: the schema of plan files names them, and the names in TypeScript
// follow from it ("on-quota" is `onQuota`). A new option of this kind needs no line in the readers.

import { type CommonFile, common } from './file/plan-file.ts';

export type Camel<Name extends string> = Name extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name;

export type OptionName = Camel<keyof CommonFile>;

export interface CommonOption {
  readonly inFile: keyof CommonFile;
  readonly name: OptionName;
}

export const commonOptions: readonly CommonOption[] = (Object.keys(common) as (keyof CommonFile)[]).map((inFile) => ({
  inFile,
  name: inFile.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase()) as OptionName,
}));
