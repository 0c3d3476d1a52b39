// Agents' homes: the files that an agent keeps between its processes.

import type { HomeFile } from './harness.ts';

/** Paths are below the agent's home. In those of files that the agent keeps `*` stands for what only it knows of a name. */
export interface HomePort {
  /** Creates the home, readable by its owner only, with these files in it. */
  prepare(agentId: string, files: readonly HomeFile[]): Promise<void>;
  /** Where the home is. */
  path(agentId: string): string;
  /** All lines of a file; none when there is no such file. */
  lines(agentId: string, path: string): Promise<readonly string[]>;
  /** Moves a file. An existing target is never replaced, and a missing source is no error. */
  move(agentId: string, from: string, to: string): Promise<void>;
  /** Whole lines from an offset on, a bounded part of a long file at a time; none when there is no such file. */
  tail(agentId: string, path: string, offset: number): Promise<HomeLines>;
  /** Sorted names of the files in a folder; none when there is no such folder. */
  files(agentId: string, path: string): Promise<readonly string[]>;
}

export interface HomeLines {
  readonly lines: readonly string[];
  /** Where the next lines begin. Less than the offset asked for: the file was replaced; read it from its start. */
  readonly end: number;
}
