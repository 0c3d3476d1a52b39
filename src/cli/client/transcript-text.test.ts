import { describe, expect, it } from 'vitest';
import { showLine } from './transcript-text.ts';

const uses = (name: string, input: unknown): string =>
  JSON.stringify({ type: 'assistant', message: { content: [{ type: 'tool_use', name, input }] } });

describe('a line of a transcript', () => {
  it('with a tool call is shown as one line with its most telling input', () => {
    expect(showLine(uses('Bash', { description: 'test', command: 'npm\ntest' }))).toBe('[uses Bash: npm test]');
    expect(showLine(uses('Read', { file_path: 'a.ts', limit: 3 }))).toBe('[uses Read: a.ts]');
    expect(showLine(uses('Task', {}))).toBe('[uses Task]');
    expect(showLine(uses('Odd', { n: 1 }))).toBe('[uses Odd: {"n":1}]');
    expect(showLine(uses('Odd', 'text'))).toBe('[uses Odd]');
    expect(showLine(uses('Bash', { command: 'x'.repeat(5_000) }))?.length).toBeLessThan(200);
  });

  it('with an MCP tool call names server and tool, and shows the arguments of our own tools [CHILD-86]', () => {
    const ours = (name: string, input: object): string | null => showLine(uses(`mcp__signalbox__${name}`, input));
    expect(ours('wait', {})).toBe('[uses signalbox wait]');
    expect(ours('report_progress', { fraction: 0.5, line: 'half' })).toBe('[uses signalbox report_progress: half]');
    expect(ours('ask_person', { question: 'Which?', options: ['a'] })).toBe('[uses signalbox ask_person: Which?]');
    expect(ours('send_message', { to: 'lead', text: 'hi' })).toBe('[uses signalbox send_message: hi]');
  });

  it('with a tool result is shown in one line if the tool failed or was refused', () => {
    const result = (content: unknown, isError: boolean): string =>
      JSON.stringify({ type: 'user', message: { content: [{ type: 'tool_result', content, is_error: isError }] } });
    const refused = 'refused: agents stand 4 deep here;\n\u001b[2Jdo it yourself (limit depth: 4)';
    const shown = '[failed: refused: agents stand 4 deep here; <U+001B>[2Jdo it yourself (limit depth: 4)]';
    expect(showLine(result(refused, true))).toBe(shown);
    expect(showLine(result([{ type: 'text', text: refused }], true))).toBe(shown);
    expect(showLine(result('x'.repeat(5_000), true))?.length).toBeLessThan(400);
    expect(showLine(result('fine', false))).toBeNull();
  });

  it('with the end of a turn shows the last words, if any', () => {
    const ended = (more: object): string | null =>
      showLine(JSON.stringify({ type: 'result', is_error: false, ...more }));
    expect(ended({ result: 'All done.' })).toBe('[turn ended: All done.]');
    expect(ended({ result: '' })).toBe('[turn ended]');
    expect(ended({ is_error: true })).toBe('[turn failed]');
  });

  it('has no control characters [CLI-8]', () => {
    expect(showLine(uses('\u001b[2JBash', { command: '\u001b]0;x\u0007ls' }))).toBe(
      '[uses <U+001B>[2JBash: <U+001B>]0;x<U+0007>ls]',
    );
  });
});

it("of the command launcher's own protocol is not shown", () => {
  const lines = [
    `signalbox-command:begun record_01x-1-1 ${'0a'.repeat(16)}`,
    'hi',
    `signalbox-command:output ${'0a'.repeat(16)} {"a":1}`,
    'signalbox-command:output {"forged":1}',
    'signalbox-command:x',
  ];
  expect(lines.map(showLine)).toEqual([
    null,
    'hi',
    null,
    'signalbox-command:output {"forged":1}',
    'signalbox-command:x',
  ]);
  expect(['{"a":1}', '{"type":"system"}'].map(showLine)).toEqual(['{"a":1}', null]);
});
