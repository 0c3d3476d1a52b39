// What `plan check` costs on a plan of 1,000 tasks: reading and checking, the first time in a process, as whoever calls it
// meets it. Beside it, in the same process and just as cold, what the YAML parser alone takes for the same file.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BenchFigure, figure } from './figure.ts';

const rounds = 10;
const tasks = 1_000;
const msMax = 200;
/** Of the bare parser's time, all the rest included: so that a slow machine does not hide what got slower. */
const ratioMax = 4;

export function benchPlan(): BenchFigure[] {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-bench-'));
  try {
    const file = join(folder, 'large.plan.yaml');
    writeFileSync(file, largePlan(tasks));
    const [parse, check]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round += 1) {
      parse.push(measured('parse', file));
      check.push(measured('check', file));
    }
    // The quickest of each: whatever else the machine does can only make one slower.
    const [parseMs, checkMs] = [Math.min(...parse), Math.min(...check)];
    const ratio = checkMs / parseMs;
    return [
      figure('plan.yaml_alone_1000', parseMs, 'ms', 'none', true),
      figure('plan.check_1000', checkMs, 'ms', `< ${msMax}`, checkMs < msMax),
      figure('plan.check_ratio_to_yaml', ratio, '×', `<= ${ratioMax}`, ratio <= ratioMax),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function measured(what: 'parse' | 'check', file: string): number {
  const program = `
    import { readFileSync } from 'node:fs';
    import { parseDocument } from 'yaml';
    import { readPlan } from ${JSON.stringify(new URL('../src/plan/read-plan.js', import.meta.url).href)};
    import { checkPlan } from ${JSON.stringify(new URL('../src/plan/check-plan.js', import.meta.url).href)};
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

/** A hundred times one that finds and nine that act on what it found, with paths of their own. */
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
        `    prompt: Mend part ${i} as far as it is about \${{ tasks.task-${first}.output.title }}.`,
        `    writes: [src/part-${i}/**]`,
      );
    }
  }
  return `${lines.join('\n')}\n`;
}
