import { describe, expect, it } from 'vitest';
import type { RunView, TaskView } from '../../wire/views.ts';
import { createPaint } from './paint.ts';
import { type Sheet, sheetLines } from './rows.ts';
import { textWidth } from './text-width.ts';

const usage = {
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  costMicroUsd: null,
  costAtLeastMicroUsd: 0,
};

function task(name: string, more: object = {}): TaskView {
  const blank = {
    asks: [],
    outcome: null,
    wait: null,
    progress: null,
    attempt: null,
    state: 'ready',
    rests: false,
    told: null,
  };
  return { id: `task_${name}`, name, usage, ...blank, ...more } as unknown as TaskView;
}

const working = { state: 'active', attempt: { state: 'running', n: 1, startedAt: 1_000, stopping: null } };

function sheet(tasks: TaskView[], more: Partial<Sheet> = {}, spending: object = {}): string[] {
  const budgets = { usage, budget: [], asks: [], ...spending };
  const run = { name: 'docs', tasks, createdAt: 0, endedAt: null, ...budgets } as unknown as RunView;
  const plain = { columns: 100, rows: 20, now: 66_000, endedAt: new Map(), paint: createPaint(false), footer: 'foot' };
  return sheetLines({ runs: [run], ...plain, ...more });
}

describe('the rows of agents', () => {
  const needs = {
    state: 'open',
    message: 'may it use Bash?',
    permission: { tool: 'Bash', input: { command: 'rm x' } },
  };
  const needy = task('needy', { ...working, asks: [needs] });
  const done = task('done', { ...working, outcome: { kind: 'succeeded', commit: 'abcdef0123' } });
  const idle = task('idle', { wait: { kind: 'machine', until: null, owner: 'host', detail: { lack: 'a slot' } } });
  const busy = task('busy', { ...working, progress: { doing: 'npm test', callsOpen: 3, lastText: 'hm', retries: 0 } });

  it('begin with tasks that need a person, then running, waiting and ended ones [TTY-1]', () => {
    expect(sheet([done, idle, busy, needy], { endedAt: new Map([['task_done', 4_000]]) })).toEqual([
      'AGENT  STATE         TIME  TOKENS      COST  CONTEXT  DOING',
      'needy  needs you   1m 05s                 ?           may it use Bash? {"command":"rm x"}',
      'busy   working     1m 05s                 ?           npm test (and 2 more)  hm',
      'idle   waiting                                        a slot',
      'done   done            3s                 ?           abcdef0',
      '1 needs you, 1 working, 1 waiting, 1 done, 1m 06s, cost ?',
      'needs you: signalbox inbox; foot',
    ]);
  });

  it('show children below their parent, with their reported progress [CHILD-83]', () => {
    const told = { line: 'dividing\u202e it', fraction: 0.1, at: 0 };
    const rest = { for: 'tasks', tasks: ['half', 'whole'], more: 0, mode: 'all' } as const;
    const wait = { kind: 'rest', until: null, owner: 'agent', detail: rest } as const;
    const lead = task('lead', { ...working, rests: true, wait, told });
    const half = task('half', { ...working, parent: lead.id, told: { line: 'half of it', fraction: null, at: 0 } });
    const whole = task('whole', { ...needy, id: 'task_whole', name: 'whole', parent: lead.id });
    expect(sheet([busy, lead, half, whole]).slice(1, -1)).toEqual([
      'lead     waiting     1m 05s                 ?           the end of half, whole  10 %: dividing<U+20…',
      '  whole  needs you   1m 05s                 ?           may it use Bash? {"command":"rm x"}',
      '  half   working     1m 05s                 ?           half of it',
      'busy     working     1m 05s                 ?           npm test (and 2 more)  hm',
      '1 needs you, 2 working, 1 waiting, 1m 06s, cost ?',
    ]);
  });

  it('end with the cost and its budget, and with the command that raises an exhausted one [BUD-18]', () => {
    const budget = [{ what: 'microUsd', limit: 5_000_000, spent: 4_870_000, reserved: 0 }];
    expect(sheet([idle], {}, { budget }).slice(-2)).toEqual([
      '1 waiting, 1m 06s, cost ? (budget: $4.87 of $5.00)',
      'foot',
    ]);
    expect(sheet([idle], {}, { budget, asks: [{ budget: {} }] }).at(-1)).toBe('needs you: signalbox inbox; foot');
  });

  it('are never more than the screen has lines, and omitted ones are counted', () => {
    const lines = sheet([...Array.from({ length: 30 }, () => done), needy], { rows: 8 });
    expect(lines).toHaveLength(8);
    expect(lines[1]).toMatch(/^needy/);
    expect(lines.at(-3)).toBe('… and 27 done');
  });

  it.each([1, 5, 17, 38, 60, 79, 200])('fit %i columns', (columns) => {
    const wide = task('wide-name-of-a-task-that-is-long', {
      ...working,
      progress: { doing: null, lastCall: 'read x', lastText: '日本語 '.repeat(99), retries: 2, contextTokens: 180_000 },
    });
    for (const line of sheet([wide, busy], { columns })) expect(textWidth(line)).toBeLessThanOrEqual(columns);
  });

  it('show no negative time after the clock was set back', () => {
    expect(sheet([busy], { now: 0 })[1]).toContain(' 0s ');
  });

  it('show control characters of an agent by their numbers [CLI-8]', () => {
    const evil = task('evil', { ...working, progress: { doing: null, lastText: '\x1b[2Jx\ny', retries: 0 } });
    expect(sheet([evil])[1]).toMatch(/ {2}<U\+001B>\[2Jx y$/);
  });
});
