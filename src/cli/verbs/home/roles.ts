// `signalbox roles`: lists the roles that a plan can use here with their source, or prints one in full.

import { problemText } from '../../../plan/file/problem.ts';
import type { Role } from '../../../plan/role.ts';
import { Fault } from '../../../std/fault.ts';
import { nearest } from '../../../std/nearest.ts';
import { plainLine, plainText, shownJson } from '../../../std/plain-text.ts';
import { type Context, exits, type Verb } from '../../client/context.ts';
import { here } from '../../client/current-directory.ts';
import { checkoutTop } from '../../client/user-git.ts';
import { type FoundRoles, findRoles, roleProblems } from '../../run/find-roles.ts';
import { createPaint } from '../../text/paint.ts';
import { cutToWidth, padToWidth, textWidth } from '../../text/text-width.ts';
import { wrapLine } from '../../text/wrap-line.ts';

export const roles: Verb<{ readonly json?: boolean }> = async (context, [name], { json = false }) => {
  const found = await findRoles(await checkoutTop(context.place, here()));
  return name === undefined ? list(context, found, json) : show(context, found, name, json);
};

const descriptionMax = 100;

async function list({ terminal, place }: Context, found: FoundRoles, json: boolean): Promise<number> {
  const all = [...found.roles.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  const problems = roleProblems(found, () => false);
  if (json) {
    const briefs = all.map(({ prompt: _, ...role }) => ({ ...role, source: found.sources.get(role.name) }));
    await terminal.print(`${shownJson({ roles: briefs, problems })}\n`);
  } else {
    const paint = createPaint(terminal.hasColour(place.look));
    const names = Math.max(...all.map((role) => textWidth(role.name)));
    const lines = all.map((role) => {
      const source = padToWidth(found.sources.get(role.name) ?? '', '.signalbox/roles'.length);
      const about = cutToWidth(plainLine(role.description), descriptionMax);
      const before = names + textWidth(source) + 4;
      // Wrapped before it is painted: colours have no width.
      const [first = '', ...more] = wrapLine(`${' '.repeat(before)}${about}`, terminal.columns, before);
      const head = `${paint('bold', padToWidth(role.name, names))}  ${paint('dim', source)}  ${first.trimStart()}`;
      return [head, ...more].map((line) => `${line}\n`).join('');
    });
    await terminal.print(lines.join(''));
    terminal.note('Print one: signalbox roles <name>. To write your own, see docs/roles.md.');
  }
  for (const problem of problems) terminal.note(plainText(problemText(problem)));
  return exits.ok;
}

async function show({ terminal }: Context, found: FoundRoles, name: string, json: boolean): Promise<number> {
  const role = found.roles.get(name);
  if (role === undefined) throw missing(found, name);
  const source = found.sources.get(name) ?? '';
  if (json) await terminal.print(`${shownJson({ ...role, source })}\n`);
  else await terminal.print(plainText(`${headOf(role, source)}\n\n${role.prompt}\n`));
  return exits.ok;
}

function headOf({ name, description, tools, deniedTools = [], model, file }: Role, source: string): string {
  const without = deniedTools.length === 0 ? '' : `, without ${deniedTools.join(', ')}`;
  return [
    `${name}: ${description}`,
    `tools: ${tools === null ? 'all' : tools.join(', ') || 'none'}${without}`,
    `model: ${model ?? "the task's"}`,
    `from: ${source === 'shipped' ? 'Signalbox' : file}`,
  ].join('\n');
}

function missing(found: FoundRoles, name: string): Fault {
  const broken = roleProblems(found, (each) => each === name).filter(({ severity }) => severity === 'error');
  if (broken.length > 0) return new Fault('bad_request', broken.map(problemText).join('\n'));
  const near = nearest(name, [...found.roles.keys()]);
  const hint = near.length === 0 ? 'list them with "signalbox roles"' : `did you mean ${near.join(', ')}?`;
  return new Fault('not_found', `there is no role "${name}"; ${hint}`);
}
