// The roles that a plan can use in a checkout: those that ship with Signalbox, then the repository's own. Of two with one name
// the last one counts. An invalid file hides the role that it would have replaced, so that a task never silently gets another
// role.

import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import type { Problem } from '../../plan/file/problem.ts';
import { parseRole, rolePromptMax } from '../../plan/read-role.ts';
import type { Role, Roles } from '../../plan/role.ts';
import { builtFile } from '../../std/built-file.ts';
import { errnoOf } from '../../std/files.ts';

export const roleSources = ['shipped', '.claude/agents', '.signalbox/roles'] as const;
export type RoleSource = (typeof roleSources)[number];

export interface FoundRoles {
  readonly roles: Roles;
  /** The source of each role. */
  readonly sources: ReadonlyMap<string, RoleSource>;
  /** Problems of files, by the name of the role that each would be. */
  readonly broken: ReadonlyMap<string, readonly Problem[]>;
}

/** `top`: of the user's checkout; null = there is none. */
export async function findRoles(top: string | null): Promise<FoundRoles> {
  const roles = new Map<string, Role>();
  const sources = new Map<string, RoleSource>();
  const broken = new Map<string, readonly Problem[]>();
  for (const source of roleSources) {
    for (const [name, found] of await rolesOf(source, top)) {
      const isBroken = Array.isArray(found);
      roles.delete(name);
      broken.delete(name);
      sources.set(name, source);
      if (isBroken) broken.set(name, found);
      else roles.set(name, found as Role);
    }
  }
  return { roles, sources, broken };
}

/** Problems of used roles are errors; of others, warnings. */
export function roleProblems({ broken }: FoundRoles, used: (name: string) => boolean): Problem[] {
  return [...broken].flatMap(([name, problems]) => {
    const severity = used(name) ? 'error' : 'warning';
    return problems.map((problem) => ({ ...problem, severity }) as const);
  });
}

const shippedFolder = builtFile('roles');
const shippedFiles = [
  'coordinator.md',
  'implementer.md',
  'judge.md',
  'planner.md',
  'researcher.md',
  'resolver.md',
  'synthesizer.md',
  'verifier.md',
];

type Found = Map<string, Role | readonly Problem[]>;

async function rolesOf(source: RoleSource, top: string | null): Promise<Found> {
  if (source === 'shipped')
    return readAll(
      shippedFiles.map((file) => join(shippedFolder, file)),
      null,
    );
  return top === null ? new Map() : readAll(await markdownBelow(join(top, source)), top);
}

/** Including subfolders. */
async function markdownBelow(folder: string): Promise<string[]> {
  try {
    const entries = await readdir(folder, { recursive: true });
    const files = entries.filter((entry) => entry.endsWith('.md') && basename(entry).toLowerCase() !== 'readme.md');
    return files.sort().map((file) => join(folder, file));
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errnoOf(error) ?? '')) return [];
    throw error;
  }
}

async function readAll(files: readonly string[], top: string | null): Promise<Found> {
  const found: Found = new Map();
  for (const path of files) {
    const file = top === null ? path : relative(top, path);
    const text = await readText(path);
    const read = text.ok ? parseRole(text.text, file) : [flaw(file, text.why)];
    const name = 'name' in read ? read.name : nameIn(text.ok ? text.text : '', file);
    const other = found.get(name);
    if (other === undefined) found.set(name, read);
    else found.set(name, [flaw(file, `the role "${name}" is in ${fileOf(other)} too`)]);
  }
  return found;
}

type Reading = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly why: string };

/** Regular files up to a size only: reading a pipe would block, and no prompt is that long. */
async function readText(path: string): Promise<Reading> {
  try {
    const { size } = await stat(path).then((stats) => (stats.isFile() ? stats : { size: -1 }));
    if (size < 0) return { ok: false, why: 'this is no file' };
    if (size > bytesMax) return { ok: false, why: `the file has ${size} bytes, more than ${bytesMax}` };
    return { ok: true, text: await readFile(path, 'utf8') };
  } catch (error) {
    return { ok: false, why: `the file cannot be read: ${errnoOf(error) ?? String(error)}` };
  }
}

const bytesMax = 4 * rolePromptMax;

/** The name in a file that cannot be read as a role, or else the name of the file. */
function nameIn(text: string, file: string): string {
  const [, name] = /^name:[ \t]*["']?([A-Za-z0-9][A-Za-z0-9._-]*)/m.exec(text) ?? [];
  return name ?? basename(file, '.md');
}

function fileOf(found: Role | readonly Problem[]): string {
  return ('file' in found ? found.file : found[0]?.file) ?? '';
}

function flaw(file: string, message: string): Problem {
  return { severity: 'error', message, file, line: 1, column: 1, suggestion: null };
}
