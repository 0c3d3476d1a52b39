// A plan in TypeScript or JavaScript: its module is imported here, and its default export is the plan. It is the user's own
// program, run as the user, like any build script.

import { register } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { PlanRead } from '../../plan/file/plan-from.ts';
import { readTypedPlan } from '../../plan/typed/typed-plan.ts';
import { builtFile } from '../../std/built-file.ts';
import { Fault } from '../../std/fault.ts';
import { errnoOf } from '../../std/files.ts';

export async function importPlan(file: string): Promise<PlanRead> {
  if (file.endsWith('.ts') && !stripsTypes()) {
    const why = `Node ${process.versions.node} cannot run TypeScript by itself`;
    throw new Fault('bad_request', `${file}: ${why}: use Node 22.18 or newer, or write the plan as .plan.mjs`);
  }
  resolveOurselves();
  const url = pathToFileURL(resolve(file)).href;
  const module = (await inTime(file, import(url)).catch((error: unknown) => {
    if (error instanceof Fault) throw error;
    throw new Fault('bad_request', failure(file, url, error), { cause: error });
  })) as { readonly default?: unknown };
  const read = readTypedPlan(module.default, file);
  if (read !== null) return read;
  const message = 'the file exports no plan';
  const suggestion = "write: import { plan, task } from 'signalbox'; export default plan({ name, tasks })";
  return { plan: null, problems: [{ severity: 'error', message, file, line: 1, column: 1, suggestion }] };
}

const importMs = 10_000;

/** A module that awaits something impossible would end this process silently, and one that awaits for ever would hang it. */
async function inTime<T>(file: string, imported: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const message = `${file} was not loaded within ${importMs / 1000} s: its own code waits for something`;
    timer = setTimeout(() => reject(new Fault('bad_request', message)), importMs);
  });
  try {
    return await Promise.race([imported, late]);
  } finally {
    clearTimeout(timer);
  }
}

function stripsTypes(): boolean {
  const { typescript } = process.features as { readonly typescript?: string | boolean };
  return typescript !== undefined && typescript !== false;
}

/** `signalbox` resolves to the program that runs the plan, whether or not the repository has it installed too. */
function resolveOurselves(): void {
  const ours = pathToFileURL(builtFile('signalbox.js')).href;
  const hook = `export function resolve(specifier, context, next) {
    return specifier === 'signalbox' ? { url: ${JSON.stringify(ours)}, shortCircuit: true } : next(specifier, context);
  }`;
  register(`data:text/javascript,${encodeURIComponent(hook)}`);
}

/** With the position in the user's file, if the trace has it. */
function failure(file: string, url: string, error: unknown): string {
  // The message also names the importing file: the missing module comes first.
  if (errnoOf(error) === 'ERR_MODULE_NOT_FOUND' && String(error).includes(`Cannot find module '${resolve(file)}'`)) {
    return `there is no file ${file}`;
  }
  const { stack = '', message = String(error) } = error instanceof Error ? error : {};
  const at = stack.indexOf(url);
  const [place = ''] = at < 0 ? [] : (/^(?::\d+)+/.exec(stack.slice(at + url.length)) ?? []);
  return `${file}${place}: error: ${message}`;
}
