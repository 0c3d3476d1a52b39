// The options of a task that need no line in the readers and none in the compiler, listed once: the schema of plan files names
// them, and the names in TypeScript follow from it ("on-quota" is `onQuota`). Where the request has an option of the same name, it
// gets the value.

import { task as taskRequest } from '../wire/task-request.ts';
import { type CommonFile, common, type TaskOnlyFile, taskOnly } from './file/plan-file.ts';

export type Camel<Name extends string> = Name extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name;

/** The same options in TypeScript; null = not set. */
export type Options<File> = {
  readonly [Name in keyof File as Camel<Name & string>]-?: Exclude<File[Name], undefined> | null;
};

/** The same as people write them in TypeScript. */
export type Given<File> = {
  readonly [Name in keyof File as Camel<Name & string>]?: Exclude<File[Name], undefined>;
};

export type OptionName = Camel<keyof CommonFile>;

export interface Option<File> {
  readonly inFile: keyof File;
  readonly name: Camel<keyof File & string>;
}

/** Those that a task and `defaults` share. */
export const commonOptions = optionsOf<CommonFile>(common);

/** Those that only a task has. */
export const taskOptions = optionsOf<TaskOnlyFile>(taskOnly);

/** The names that the request has too. */
export const requestOptions: readonly string[] = [...commonOptions, ...taskOptions]
  .map(({ name }) => name)
  .filter((name) => Object.hasOwn(taskRequest.shape, name));

function optionsOf<File>(schemas: { readonly [Name in keyof File]-?: unknown }): readonly Option<File>[] {
  return (Object.keys(schemas) as (keyof File & string)[]).map((inFile) => ({
    inFile,
    name: inFile.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase()) as Camel<keyof File & string>,
  }));
}
