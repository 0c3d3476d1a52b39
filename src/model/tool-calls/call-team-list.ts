// `team_tasks` and `claim_task`: the list of work that a team shares. Calls are decided one after the other, so exactly one
// member gets an item; a later caller is told which member has it.

import { childLimitsOf } from '../core/child-limits.ts';
import { taskOf } from '../core/lookup.ts';
import type { Run, Task } from '../core/run.ts';
import { jsonText, quoted } from '../messages/envelope.ts';
import { changeTeam } from '../teams/evolve-team.ts';
import { ownTeam } from '../teams/membership.ts';
import { type Item, isClaimable, sizeOf, type Team, unmetOf } from '../teams/team.ts';
import type { TeamEvent } from '../teams/team-events.ts';
import type { CallRequest } from './call.ts';
import { type Answered, answer, type CallScene, refuse, refuseBy } from './call-answer.ts';

type Of<Tool extends CallRequest['tool']> = Extract<CallRequest, { tool: Tool }>;

export function claimItem({ run, task }: CallScene, { team: name, n }: Of<'claim_task'>): Answered {
  const team = ownTeam(run, task, name);
  if (typeof team === 'string') return refuse(team);
  const item = n === null ? team.items.find((each) => isClaimable(team, each)) : team.items[n - 1];
  if (item === undefined) return refuse(n === null ? nothingFree(team) : unknownItem(team, n));
  const { id } = task.spec;
  if (item.state === 'claimed' && item.by === id) return answer(`You have it already.\n${itemText(run, item)}`);
  const why = whyNotFree(run, team, item);
  if (why !== null) return refuse(why);
  const yours = itemText(run, { ...item, state: 'claimed', by: id });
  return answer(`It is yours. team_tasks marks it as done, or gives it back.\n${yours}`, {
    type: 'team.itemClaimed',
    team: name,
    n: item.n,
    by: id,
  });
}

function whyNotFree(run: Run, team: Team, item: Item): string | null {
  const { n, state } = item;
  if (state !== 'free') return `item ${n} is ${state === 'done' ? 'done' : 'held'} by "${holderName(run, item)}"`;
  const unmet = unmetOf(team, item);
  return unmet.length === 0 ? null : `item ${n} needs ${unmet.join(', ')} to be done first`;
}

function nothingFree({ items }: Team): string {
  const held = items.filter(({ state }) => state === 'claimed').length;
  const waiting = items.filter(({ state }) => state === 'free').length;
  return (
    `nothing on the list is free (${held} held, ${waiting} waiting for others, ${items.length} in all). ` +
    'End your turn: a member is told when there is something for it'
  );
}

function unknownItem({ items, name }: Team, n: number): string {
  return `there is no item ${n} on the list of team "${name}", which has ${items.length}`;
}

export function teamTasks(scene: CallScene, request: Of<'team_tasks'>): Answered {
  const { run, task } = scene;
  const team = ownTeam(run, task, request.team);
  if (typeof team === 'string') return refuse(team);
  const flaw = flawOf(scene, team, request);
  if (flaw !== null) return refuse(flaw);
  const over = overLimit(scene, team, request);
  if (over !== null) return over;
  const events = eventsOf(task, request);
  const after = events.length === 0 ? team : structuredClone(team);
  for (const event of events) changeTeam(after, { at: scene.now, ...event });
  const { show } = request;
  const one = show === null ? undefined : after.items[show - 1];
  if (show !== null && one === undefined) return refuse(unknownItem(after, show));
  return answer(one === undefined ? listText(run, after, request.from) : itemText(run, one), ...events);
}

/** All changes are made, or none. */
function eventsOf({ spec: { id: by } }: Task, { team, add, done, giveBack }: Of<'team_tasks'>): TeamEvent[] {
  return [
    ...(add.length === 0 ? [] : [{ type: 'team.itemsAdded', team, by, items: add } as const]),
    ...done.map(({ n, result }) => ({ type: 'team.itemDone', team, n, by, result }) as const),
    ...giveBack.map((n) => ({ type: 'team.itemGivenBack', team, n, by }) as const),
  ];
}

function flawOf({ run, task }: CallScene, team: Team, { add, done, giveBack }: Of<'team_tasks'>): string | null {
  for (const [i, { needs }] of add.entries()) {
    const n = team.items.length + 1 + i;
    const later = needs.find((need) => need >= n);
    if (later !== undefined) return `item ${n} cannot need ${later}: it needs what stands before it on the list`;
  }
  const named = [...done.map(({ n }) => n), ...giveBack];
  const twice = named.find((n, i) => named.indexOf(n) !== i);
  if (twice !== undefined) return `item ${twice} is named twice`;
  for (const n of named) {
    const item = team.items[n - 1];
    if (item === undefined) return unknownItem(team, n);
    if (item.state === 'done') return `item ${n} is done by "${holderName(run, item)}"`;
    if (item.by !== task.spec.id && team.lead !== task.spec.id) {
      const holder = item.by === null ? 'nobody holds it: claim_task takes it' : `"${holderName(run, item)}" holds it`;
      return `item ${n} is not yours: ${holder}`;
    }
  }
  const free = giveBack.find((n) => team.items[n - 1]?.state === 'free');
  return free === undefined ? null : `item ${free} is free already`;
}

function overLimit(scene: CallScene, { items }: Team, { add }: Of<'team_tasks'>): Answered | null {
  const { teamItemsMax, teamCharsMax } = childLimitsOf(scene.run);
  // Existing items stay on the list even if a person lowered the limit since.
  if (add.length === 0) return null;
  if (items.length + add.length > teamItemsMax) {
    return refuseBy(scene, 'teamItemsMax', `the list has ${items.length} items and would have ${add.length} more`);
  }
  if (sizeOf(items) + sizeOf(add) > teamCharsMax) {
    return refuseBy(
      scene,
      'teamCharsMax',
      'the list would be too long: put what is long into an artifact and name its id',
    );
  }
  return null;
}

function holderName(run: Run, { by }: Item): string {
  return by === null ? 'nobody' : taskOf(run, by).spec.name;
}

/** One item whole; its text is quoted as that of the agent that added it. */
function itemText(run: Run, item: Item): string {
  const { n, title, text, result, state } = item;
  const whose = state === 'free' ? '' : ` by "${holderName(run, item)}"`;
  const said = result === '' ? '' : `\nresult:\n${quoted(result)}`;
  return `item ${n}, ${state}${whose}:\n${quoted(text === '' ? title : `${title}\n${text}`)}${said}`;
}

const pageMax = 50;
const resultShown = 200;

/** One line for each, as JSON. */
function listText(run: Run, team: Team, from: number): string {
  const { items, name } = team;
  const page = items.slice(from, from + pageMax);
  if (page.length === 0)
    return items.length === 0 ? `The list of team "${name}" is empty.` : `There are ${items.length} only.`;
  const left = items.length - from - page.length;
  const more =
    left > 0 ? [`[${left} more: team_tasks ${JSON.stringify({ team: name, from: from + page.length })}]`] : [];
  const cut = page.find(({ result }) => result.length > resultShown);
  const whole =
    cut === undefined
      ? []
      : [`[results that end in … are cut: team_tasks ${JSON.stringify({ team: name, show: cut.n })} gives one whole]`];
  return [...page.map((item) => jsonText(lineOf(run, team, item))), ...whole, ...more].join('\n');
}

function lineOf(run: Run, team: Team, item: Item): Record<string, unknown> {
  const { n, title, state, result } = item;
  const unmet = state === 'free' ? unmetOf(team, item) : [];
  return {
    n,
    title,
    state: unmet.length > 0 ? 'waits' : state,
    needs: unmet.length > 0 ? unmet : undefined,
    by: item.by === null ? undefined : holderName(run, item),
    result: result === '' ? undefined : result.length > resultShown ? `${result.slice(0, resultShown)}…` : result,
  };
}
