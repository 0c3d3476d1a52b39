// `signalbox gc`: lists disk usage and removes workspaces whose work is saved. Never removes saved work, journals or
// transcripts.

import { shownJson } from '../../../std/plain-text.ts';
import { reclaimedView, type SpaceItemView, spaceView } from '../../../wire/space-views.ts';
import { exits, type Verb } from '../../client/context.ts';
import { wrapLine } from '../../text/wrap-line.ts';

interface GcOptions {
  readonly dryRun?: boolean;
  readonly setups?: boolean;
  readonly json?: boolean;
}

export const gc: Verb<GcOptions> = async ({ client, terminal }, _words, { dryRun, setups = false, json }) => {
  const { items } = await client.get('/space', spaceView);
  const removed = dryRun === true ? [] : (await client.post('/space/reclaim', { setups }, reclaimedView)).removed;
  if (json === true) await terminal.print(`${shownJson({ items, removed })}\n`);
  else await terminal.print(report(items, removed, dryRun === true, terminal.columns));
  return exits.ok;
};

function report(
  items: readonly SpaceItemView[],
  removed: readonly SpaceItemView[],
  dry: boolean,
  columns: number,
): string {
  const gone = new Set(removed.map(idOf));
  const rows = items.flatMap((item) => {
    const what = gone.has(idOf(item)) ? 'removed' : item.removable ? 'unused' : 'kept';
    const head = `${size(item.bytes).padStart(9)}  ${what.padEnd(7)}  ${item.kind.padEnd(9)}  `;
    return wrapLine(`${head}${item.name}: ${item.why}`, columns, head.length);
  });
  const free = dry ? items.filter(({ removable }) => removable) : removed;
  return `${[...rows, dry ? `"signalbox gc" would free ${size(sum(free))}.` : removedLine(free).trimEnd()].join('\n')}\n`;
}

function idOf({ kind, name }: SpaceItemView): string {
  return `${kind} ${name}`;
}

export function removedLine(removed: readonly SpaceItemView[]): string {
  const of = (wanted: SpaceItemView['kind']): number => removed.filter(({ kind }) => kind === wanted).length;
  const more = [
    ...(of('setup') === 0 ? [] : [counted(of('setup'), 'setup')]),
    ...(of('checks') === 0 ? [] : ['old check results']),
  ];
  const count = [counted(of('workspace'), 'workspace'), ...more].join(' and ');
  return `Removed ${count}, ${size(sum(removed))}. Saved work is kept.\n`;
}

export function counted(count: number, what: string): string {
  return count === 1 ? `1 ${what}` : `${count} ${what}s`;
}

/** Unknown if any size is unknown. */
function sum(items: readonly SpaceItemView[]): number | null {
  return items.reduce<number | null>((all, { bytes }) => (all === null || bytes === null ? null : all + bytes), 0);
}

export function size(bytes: number | null): string {
  if (bytes === null) return 'unknown';
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let [value, unit] = [bytes, 0];
  for (; value >= 1024 && unit < units.length - 1; unit += 1) value /= 1024;
  return `${value >= 10 || unit === 0 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`;
}
