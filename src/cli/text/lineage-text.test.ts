import { expect, it } from 'vitest';
import type { LineageView } from '../../wire/artifact-views.ts';
import { contentText } from '../verbs/view/artifact-show.ts';
import { artifactLines } from '../verbs/view/artifacts.ts';
import { lineageLines } from './lineage-text.ts';

const evil = '\u001b[31mred\u001b[0m\u202e\n# more';
const maker = {
  task: { id: 'task_1', name: evil },
  attemptId: 'attempt_1-2',
  agentId: 'agent_1-2',
  harness: 'claude',
  model: evil,
  item: { name: evil },
  prompt: evil.repeat(400),
  promptCut: false,
  artifacts: [{ id: `artifact_${'ab'.repeat(32)}`, kind: 'report', bytes: 5 }],
};
const lineage: LineageView = {
  ...maker,
  run: { id: 'run_1', name: evil },
  repo: '/repo',
  attempt: 2,
  role: evil,
  agent: evil,
  startedAt: 0,
  why: '',
  commit: 'c'.repeat(40),
  landings: [],
  integrated: ['d'.repeat(40)],
  approvals: [`ann${evil}`],
  checks: [],
  conflict: `artifact_${'cd'.repeat(32)}`,
  transcripts: ['/w/launches/launch_1-2-1/out'],
  inputs: [{ ...maker, depth: 1 }],
  inputsLeftOut: 3,
};
const blamed = { commit: 'c'.repeat(40), summary: evil, text: evil, line: 1 };

it('names chosen by agents and people are harmless, bounded and on one line [WHY-2]', () => {
  const lines = lineageLines('a.txt:1', blamed, { commit: 'd'.repeat(40), lineage });
  // oxlint-disable-next-line no-control-regex -- control characters are what this is about
  expect(lines.join('\n')).not.toMatch(/[\u001b\u202e]/);
  expect(lines.filter((line) => line.startsWith('# more'))).toEqual([]);
  expect(lines).toContain('  [cut; full text: --json]');
  expect(lines).toContain('  and 3 more');
  expect(lines).toContain('resolved       conflict cdcdcdcdcdcd');
  expect(lines).toContain('integrated as  dddddddddddd');
  expect(lines.find((line) => line.startsWith('  <U+001B>[31mred<U+001B>[0m<U+202E> # more: '))).toContain(
    'report abababababab (claude',
  );
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(400);
});

it('tasks without inputs, and work that was not integrated, are shown as such [WHY-2]', () => {
  const lines = lineageLines('a.txt:1', blamed, {
    commit: '',
    lineage: { ...lineage, inputs: [], integrated: [], approvals: [] },
  });
  expect(lines.at(-1)).toBe('inputs: none from other tasks');
  expect(lines).toContain('integrated as  not integrated');
  expect(lines).toContain('approved by    no approval was needed');
  expect(lines).toContain('checks         none');
});

it('a report is shown as text with where the whole is, everything else as JSON [ART-9]', () => {
  const report = { title: 'a', text: 'b', whole: 'launch_1-1-1' };
  expect(contentText({ kind: 'report', value: report })).toBe(
    'a\n\nb\n\n[cut; full text in the transcript of launch_1-1-1]\n',
  );
  expect(contentText({ kind: 'output', value: report })).toBe(`${JSON.stringify(report, null, 2)}\n`);
});

it('the list shows a short id and the number of the attempt [ART-8]', () => {
  const stamp = { bytes: 12, at: 0, taskId: 'task_1', task: 'a', agentId: '', inputs: [], commit: '' };
  const [, row = ''] = artifactLines(
    [{ id: `artifact_${'ab'.repeat(32)}`, kind: 'output', attemptId: 'attempt_1-3', ...stamp }],
    0,
  );
  expect(row).toMatch(/^abababababab {2}output {2}a +3 +12 {2}\d\d:\d\d:\d\d$/);
});
