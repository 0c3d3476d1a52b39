// Draws a plan: lines for a terminal, Mermaid for documents, JSON for programs.

import { resolveOptions } from '../defaults.ts';
import { pathText } from '../file/expression.ts';
import { isRef, type Plan, type PlanTask } from '../plan.ts';
import { noRoles } from '../role.ts';
import { type GraphNode, graphOf } from '../task-graph.ts';
import { shownWrites } from '../task-paths.ts';

export const graphFormats = ['text', 'mermaid', 'json'] as const;
export type GraphFormat = (typeof graphFormats)[number];

export function drawGraph(plan: Plan, format: GraphFormat): string {
  const nodes = [...graphOf(plan).nodes.values()];
  switch (format) {
    case 'text':
      return drawText(plan, nodes);
    case 'mermaid':
      return drawMermaid(plan, nodes);
    case 'json':
      return `${JSON.stringify({ name: plan.name, nodes: nodes.map((node) => jsonOf(plan, node)) }, null, 2)}\n`;
  }
}

/** Every task after those it waits for. */
function drawText(plan: Plan, nodes: readonly GraphNode[]): string {
  const { order } = graphOf(plan);
  const shown = order.length === nodes.length ? order : nodes;
  const width = Math.max(...shown.map((node) => titleOf(node).length));
  const lines = shown.map((node) => {
    const needs = node.needs.map((need) => `${nameOf(need)}${node.tolerates.includes(need) ? '?' : ''}`);
    const about = [needs.length === 0 ? '' : `after ${needs.join(', ')}`, aboutOf(plan, node)].filter(
      (each) => each !== '',
    );
    return `  ${titleOf(node).padEnd(width)}  ${about.join('  ')}`.trimEnd();
  });
  const legend = nodes.some(({ tolerates }) => tolerates.length > 0) ? '? only has to have ended\n' : '';
  return `${plan.name}\n${lines.join('\n')}\n${legend}`;
}

const nameOf = (name: string): string => name.replace(/^phase\./, 'phase ');

function titleOf({ name, task }: GraphNode): string {
  return `${nameOf(name)}${task === null ? '' : itemsText(task)}`;
}

function itemsText({ matrix }: PlanTask): string {
  if (matrix === null) return '';
  return isRef(matrix) ? ` × ${pathText(matrix.ref)}` : ` × ${matrix.length}`;
}

function aboutOf(plan: Plan, { task, phase, when }: GraphNode): string {
  if (task === null) return when === null ? '' : '[if its exit holds]';
  const { roleName, harness } = resolveOptions(plan, task, noRoles);
  const who = task.work.kind === 'gate' ? 'gate' : harness;
  const words = [phase?.name ?? null, roleName, who, when === null ? null : 'if its condition holds'];
  const said = words.filter((word) => word !== null);
  return said.length === 0 ? '' : `[${said.join(', ')}]`;
}

function drawMermaid(plan: Plan, nodes: readonly GraphNode[]): string {
  const ids = new Map(nodes.map(({ name }, i) => [name, `t${i}`]));
  const drawn = nodes.map((node) => {
    const title = JSON.stringify(titleOf(node)).replaceAll('\\"', '#quot;');
    return `  ${ids.get(node.name) ?? ''}${boxes[kindOf(node)](title)}`;
  });
  const edges = nodes.flatMap(({ name, needs, tolerates }) =>
    needs.map((need) => `  ${ids.get(need) ?? ''} ${tolerates.includes(need) ? '-.->' : '-->'} ${ids.get(name) ?? ''}`),
  );
  return `---\ntitle: ${plan.name}\n---\nflowchart TD\n${[...drawn, ...edges].join('\n')}\n`;
}

type Kind = 'milestone' | 'task' | 'matrix' | 'gate';

function kindOf({ task }: GraphNode): Kind {
  if (task === null) return 'milestone';
  if (task.work.kind === 'gate') return 'gate';
  return task.matrix === null ? 'task' : 'matrix';
}

const boxes: Readonly<Record<Kind, (title: string) => string>> = {
  milestone: (title) => `{{${title}}}`,
  task: (title) => `[${title}]`,
  matrix: (title) => `[[${title}]]`,
  gate: (title) => `{${title}}`,
};

function jsonOf(plan: Plan, node: GraphNode): object {
  const { name, task, phase, needs, tolerates, when } = node;
  const own = task === null ? null : resolveOptions(plan, task, noRoles);
  return {
    name,
    kind: kindOf(node),
    phase: phase?.name ?? null,
    needs,
    tolerates,
    conditional: when !== null,
    harness: own?.harness ?? null,
    role: own?.roleName ?? null,
    writes: task === null ? null : shownWrites(task),
  };
}
