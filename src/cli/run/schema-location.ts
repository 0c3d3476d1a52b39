// Where editors find the schema of a plan or configuration file, for the file's first line.

import { existsSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageRoot } from '../../std/built-file.ts';

/**
 * For a file in `folder`, an absolute path. A schema within the same project is named relative to the file, so that the line is
 * right in every checkout; any other by its path on this machine, as a URL, since editors end the name at a space.
 */
export function schemaLocation(
  folder: string,
  schemaFile: 'docs/plan.schema.json' | 'docs/config.schema.json' = 'docs/plan.schema.json',
): string {
  const installed = ancestorsOf(folder)
    .map((dir) => join(dir, 'node_modules/signalbox', schemaFile))
    .find((file) => existsSync(file));
  const own = join(packageRoot(), schemaFile);
  const near = installed ?? (isWithin(folder, packageRoot()) ? own : null);
  if (near === null) return pathToFileURL(own).href;
  const path = relative(folder, near);
  return path.startsWith('.') ? path : `./${path}`;
}

/** The folder itself first. */
function ancestorsOf(folder: string): string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...ancestorsOf(parent)];
}

function isWithin(folder: string, root: string): boolean {
  return folder === root || folder.startsWith(`${root}${sep}`);
}
