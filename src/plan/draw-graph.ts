// A plan as a picture: lines for a terminal, Mermaid for documents, JSON for programs.

import { pathText } from './expression.ts';
import { type GraphNode, graphOf } from './graph.ts';
import { isRef, type Plan, type PlanTask, settled } from './plan.ts';

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

/** Every line after those it waits for. */
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
  const { role, harness } = settled(plan, task);
  const words = [phase?.name ?? null, role, harness, when === null ? null : 'if its condition holds'];
  const said = words.filter((word) => word !== null);
  return said.length === 0 ? '' : `[${said.join(', ')}]`;
}

function drawMermaid(plan: Plan, nodes: readonly GraphNode[]): string {
  const ids = new Map(nodes.map(({ name }, i) => [name, `t${i}`]));
  const boxes = nodes.map((node) => {
    const title = JSON.stringify(titleOf(node)).replaceAll('\\"', '#quot;');
    const box = node.task === null ? `{{${title}}}` : node.task.matrix === null ? `[${title}]` : `[[${title}]]`;
    return `  ${ids.get(node.name) ?? ''}${box}`;
  });
  const edges = nodes.flatMap(({ name, needs, tolerates }) =>
    needs.map((need) => `  ${ids.get(need) ?? ''} ${tolerates.includes(need) ? '-.->' : '-->'} ${ids.get(name) ?? ''}`),
  );
  return `---\ntitle: ${plan.name}\n---\nflowchart TD\n${[...boxes, ...edges].join('\n')}\n`;
}

function jsonOf(plan: Plan, { name, task, phase, needs, tolerates, when }: GraphNode): object {
  const own = task === null ? null : settled(plan, task);
  return {
    name,
    kind: task === null ? 'milestone' : task.matrix === null ? 'task' : 'matrix',
    phase: phase?.name ?? null,
    needs,
    tolerates,
    conditional: when !== null,
    harness: own?.harness ?? null,
    role: own?.role ?? null,
    writes: own?.writes ?? null,
  };
}
