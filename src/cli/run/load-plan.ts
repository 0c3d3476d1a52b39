// Loads a plan for a verb: read from its file and checked against the roles that exist here. All problems of a file are
// reported at once, as a compiler does.

import { readFile, stat } from 'node:fs/promises';
import { checkPlan } from '../../plan/check/check-plan.ts';
import type { PlanRead } from '../../plan/file/plan-from.ts';
import { hasErrors, type Problem, problemText } from '../../plan/file/problem.ts';
import { planBytesMax, readPlan } from '../../plan/file/read-plan.ts';
import type { Plan } from '../../plan/plan.ts';
import type { Role, Roles } from '../../plan/role.ts';
import { Fault } from '../../std/fault.ts';
import { diskFault, errnoOf } from '../../std/files.ts';
import { plainText } from '../../std/plain-text.ts';
import type { Context } from '../client/context.ts';
import { here } from '../client/current-directory.ts';
import { checkoutTop } from '../client/user-git.ts';
import { findRoles, roleProblems } from './find-roles.ts';
import { ownPrices } from './own-prices.ts';

export interface LoadedPlan {
  /** null: there are errors among the problems. */
  readonly plan: Plan | null;
  readonly problems: readonly Problem[];
  readonly roles: Roles;
}

export interface Loading {
  readonly inputs: Readonly<Record<string, string>>;
  /** Every input must have a value. */
  readonly complete: boolean;
  readonly strict: boolean;
  /** The command line sets a limit on money. */
  readonly isLimited?: boolean;
}

export async function loadPlan({ place, lent }: Context, file: string, given: Loading): Promise<LoadedPlan> {
  const read = await readAny(file);
  const found = await findRoles(await checkoutTop(place, here()));
  const { roles } = found;
  if (read.plan === null) return { plan: null, problems: read.problems, roles };
  const { tasks, defaults } = read.plan;
  const used = new Set([defaults, ...tasks].map(({ role }) => role));
  // A broken role is reported with its own file.
  const known = new Map<string, Role>([...roles, ...[...found.broken.keys()].map((name) => [name, nobody] as const)]);
  const { prices, problems: ofPrices } = await ownPrices(place.home, given.isLimited === true);
  const checked = checkPlan(read.plan, { ...given, roles: known, harnesses: await lent.harnesses(), prices });
  const ofRoles = roleProblems(found, (name) => used.has(name)).filter(({ severity }) => severity === 'error');
  const problems = [...read.problems, ...checked, ...ofRoles, ...ofPrices];
  return { plan: hasErrors(problems) ? null : read.plan, problems, roles };
}

const nobody: Role = { name: '', description: '', tools: null, model: null, prompt: '', file: '' };

/** Prints all of them to stderr; true: there are errors. */
export function tellProblems({ terminal }: Context, problems: readonly Problem[]): boolean {
  for (const problem of problems) terminal.note(plainText(problemText(problem)));
  return hasErrors(problems);
}

async function readAny(file: string): Promise<PlanRead> {
  if (/\.(?:ts|mjs|js)$/.test(file)) return (await import('./import-plan.ts')).importPlan(file);
  return readPlan(await contents(file), file);
}

async function contents(file: string): Promise<string> {
  try {
    const { size } = await stat(file);
    // The reader reports a text that is too long, with its position; the file itself is not read.
    if (size > planBytesMax) return ' '.repeat(planBytesMax + 1);
    return await readFile(file, 'utf8');
  } catch (cause) {
    if (errnoOf(cause) === 'ENOENT') throw new Fault('bad_request', `there is no file ${file}`, { cause });
    const known = diskFault(cause, file);
    throw known instanceof Fault ? known : new Fault('bad_request', `the plan ${file} cannot be read`, { cause });
  }
}
