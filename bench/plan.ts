// The time `plan check` takes for a plan of 1,000 tasks: reading and checking, once in a fresh process, as a user meets it.
// For comparison, also in fresh processes: the YAML parser alone on the same file, and the start of bare node.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BenchFigure, figure } from './figure.ts';

const rounds = 10;
const tasks = 1_000;
/** Times the start of bare node: 200 ms on a machine where that takes 50 ms. */
const nodeRatioMax = 4;
/** Times the YAML parser alone: our own reading and checking take at most half as long as parsing. */
const yamlRatioMax = 1.5;

export function benchPlan(): BenchFigure[] {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-bench-'));
  try {
    const file = join(folder, 'large.plan.yaml');
    writeFileSync(file, largePlan(tasks));
    const [bare, parse, check]: [number[], number[], number[]] = [[], [], []];
    for (let round = 0; round < rounds; round += 1) {
      bare.push(bareNode());
      parse.push(measured('parse', file));
      check.push(measured('check', file));
    }
    // The fastest of each: other load on the machine only makes a round slower.
    const [bareMs, parseMs, checkMs] = [Math.min(...bare), Math.min(...parse), Math.min(...check)];
    const [toNode, toYaml] = [checkMs / bareMs, checkMs / parseMs];
    return [
      figure('plan.bare_node', bareMs, 'ms', 'none', true),
      figure('plan.yaml_alone_1000', parseMs, 'ms', 'none', true),
      figure('plan.check_1000', checkMs, 'ms', 'none', true),
      figure('plan.check_ratio_to_bare_node', toNode, '×', `<= ${nodeRatioMax}`, toNode <= nodeRatioMax),
      figure('plan.check_ratio_to_yaml', toYaml, '×', `<= ${yamlRatioMax}`, toYaml <= yamlRatioMax),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function bareNode(): number {
  const from = performance.now();
  execFileSync(process.execPath, ['-e', '0'], { stdio: 'ignore' });
  return performance.now() - from;
}

function measured(what: 'parse' | 'check', file: string): number {
  const program = `
    import { readFileSync } from 'node:fs';
    import { parseDocument } from 'yaml';
    import { readPlan } from ${JSON.stringify(new URL('../src/plan/file/read-plan.js', import.meta.url).href)};
    import { checkPlan } from ${JSON.stringify(new URL('../src/plan/check/check-plan.js', import.meta.url).href)};
    const text = readFileSync(${JSON.stringify(file)}, 'utf8');
    const from = performance.now();
    if (${JSON.stringify(what)} === 'parse') parseDocument(text).toJS();
    else {
      const { plan, problems } = readPlan(text, 'large');
      const found = checkPlan(plan, { inputs: {}, roles: new Map(), harnesses: ['claude'] });
      if (problems.length + found.length > 0) throw new Error(JSON.stringify([...problems, ...found].slice(0, 3)));
    }
    console.log(performance.now() - from);`;
  const words = ['--input-type=module', '-e', program];
  return Number(execFileSync(process.execPath, words, { encoding: 'utf8', cwd: new URL('../../..', import.meta.url) }));
}

/** A hundred groups: one task that finds and nine that act on its output, each with its own paths. */
function largePlan(count: number): string {
  const lines = ['name: large', 'defaults: { harness: claude, timeout-minutes: 10 }', 'tasks:'];
  for (let i = 0; i < count; i += 1) {
    const first = i - (i % 10);
    lines.push(`  task-${i}:`);
    if (i === first) {
      lines.push(
        `    prompt: Find what is wrong with part ${i}, and change nothing.`,
        '    output: { type: object, required: [title], properties: { title: { type: string }, lines: { type: integer } } }',
        '    writes: []',
      );
    } else {
      lines.push(
        `    needs: task-${first}`,
        `    prompt: Fix part ${i} as far as it is about \${{ tasks.task-${first}.output.title }}.`,
        `    writes: [src/part-${i}/**]`,
      );
    }
  }
  return `${lines.join('\n')}\n`;
}
