// What a script can let the scripted agent do: words of any size, files, commands, commits, tool calls, permissions.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { importsOf } from '../../imports.ts';
import { isRequest, openScriptedWorld, type ScriptedWorld, texts, toolCalls } from './scripted-world.ts';

let world: ScriptedWorld;

beforeEach(() => {
  world = openScriptedWorld();
});

afterEach(() => world.close());

it('a turn is printed as Claude Code prints it, from taking up the input to idle', async () => {
  const agent = world.act({ say: 'hello' }, { write: { path: 'a/b.txt', text: 'x\n' } });
  expect(await agent.result()).toMatchObject({ subtype: 'success', is_error: false, result: 'The script is done.' });
  expect(await agent.end()).toEqual({ code: 0, signal: null });
  const kinds = agent.printed.map(({ type, subtype, state }) => state ?? subtype ?? type);
  const turn = ['user', 'running', 'assistant', 'assistant', 'user', 'success', 'idle'];
  expect(kinds).toEqual(['init', ...turn, 'control_response']);
  expect(agent.printed[1]).toMatchObject({ isReplay: true, uuid: expect.stringContaining('0001') });
  const sessions = agent.printed.slice(0, -1).map((line) => line['session_id']);
  expect(new Set(sessions).size).toBe(1);
  expect(world.file('a/b.txt')).toBe('x\n');
});

it('many lines are printed whole, numbered and in order', async () => {
  const agent = world.act({ say: { text: 'line {n}', repeat: 20_000 } });
  await agent.result();
  expect(texts(agent)).toEqual(Array.from({ length: 20_000 }, (_, n) => `line ${n + 1}`));
});

it.each([512, 70_001, 64 * 1024 * 1024])('one line of %d bytes', async (bytes) => {
  const agent = world.act({ say: { bytes } });
  await agent.result();
  expect(agent.lines.filter((line) => line.length === bytes)).toHaveLength(1);
});

it('files are written, appended to and made of a size', async () => {
  const agent = world.act(
    { write: { path: 'a', text: 'one\n' } },
    { append: { path: 'a', text: 'two\n' } },
    { write: { path: 'b/big', bytes: 3_000_000 } },
    { append: { path: 'b/big', bytes: 5 } },
  );
  await agent.result();
  expect(world.file('a')).toBe('one\ntwo\n');
  expect(world.file('b/big')).toHaveLength(3_000_005);
  expect(toolCalls(agent).map(({ name }) => name)).toEqual(['Write', 'Edit', 'Write', 'Edit']);
});

it('a command shows its output, and a failing one ends the turn', async () => {
  const agent = world.act({ run: 'echo out; echo err >&2' }, { run: 'echo last; exit 7' }, { say: 'never said' });
  expect(await agent.result()).toMatchObject({ is_error: true, result: '"echo last; exit 7" ended with 7' });
  const [first, second] = toolCalls(agent);
  expect([String(first?.result).split('\n').toSorted(), first?.isError]).toEqual([['err', 'out'], false]);
  expect([second?.result, second?.isError]).toEqual(['Exit code 7\nlast', true]);
  expect(texts(agent)).toEqual([]);
  agent.endInput();
  expect(await agent.ended).toEqual({ code: 1, signal: null });
});

it('a commit takes all changes, and none is no failure', async () => {
  world.git('init', '-q', '.');
  const agent = world.act({ write: { path: 'a', text: 'x' } }, { commit: "It's $HOME" }, { commit: 'nothing' });
  expect(await agent.result()).toMatchObject({ is_error: false });
  expect(world.git('log', '--format=%an|%s')).toBe("Scripted agent|It's $HOME");
  expect(world.git('status', '--porcelain')).toBe('');
});

it('a tool call is printed with its result', async () => {
  const read = { name: 'Read', input: { file_path: 'x' }, result: ['a', 1], isError: true };
  const agent = world.act({ tool: read }, { tool: { name: 'Noop' } });
  await agent.result();
  expect(toolCalls(agent)).toEqual([
    { ...read, result: '["a",1]' },
    { name: 'Noop', input: {}, result: '', isError: false },
  ]);
});

it("structured output can be a command's output", async () => {
  const agent = world.act(
    { write: { path: 'two.txt', text: 'one\ntwo\n' } },
    { outputOf: `printf '{"lines": %d}' $(wc -l <two.txt); echo aside >&2` },
    { turn: 'counted' },
    { outputOf: 'echo nothing' },
  );
  expect(await agent.result()).toMatchObject({ result: 'counted', structured_output: { lines: 2 } });
  agent.say('again');
  expect(await agent.result(2)).toMatchObject({ is_error: true, result: expect.stringContaining('printed no JSON') });
});

it('structured output stands in the result of its turn, and in no other', async () => {
  const agent = world.act({ output: { verdict: 42 } }, { turn: 'first' });
  expect(await agent.result()).toMatchObject({ result: 'first', structured_output: { verdict: 42 } });
  agent.say('go on');
  expect(await agent.result(2)).not.toHaveProperty('structured_output');
  expect(toolCalls(agent)[0]).toMatchObject({ name: 'StructuredOutput', input: { verdict: 42 } });
});

it('a tool server is called, and its answer printed', async () => {
  const call = { tool: 'mcp__signalbox__ask_person', input: { question: 'why?' } };
  const agent = world.act({ call }, { call }, { call });
  const answers = [
    { mcp_response: { result: { content: [{ type: 'text', text: 'because' }] } } },
    { mcp_response: { result: { content: [{ type: 'text', text: 'no' }], isError: true } } },
    { mcp_response: { error: { code: -1, message: 'broken' } } },
  ];
  for (const [at, answer] of answers.entries()) {
    const { request_id: id, request } = await agent.seen(isRequest('mcp_message'), `call ${at + 1}`, at + 1);
    expect(request).toMatchObject({
      server_name: 'signalbox',
      message: { method: 'tools/call', params: { name: 'ask_person', arguments: { question: 'why?' } } },
    });
    agent.answer(String(id), answer);
  }
  await agent.result();
  expect(texts(agent)).toEqual(['ask_person answered: because', 'ask_person failed: no', 'ask_person failed: broken']);
  expect(toolCalls(agent).map(({ name, isError }) => [name, isError])).toEqual([
    [call.tool, false],
    [call.tool, true],
    [call.tool, true],
  ]);
});

it('an allowed step runs as allowed, a denied one does not, and the script goes on', async () => {
  const agent = world.act(
    { write: { path: 'yes', text: 'y' }, ask: true },
    { write: { path: 'no', text: 'n' }, ask: true },
    { run: 'echo asked >ran', ask: true },
    { say: 'over' },
  );
  const asked = isRequest('can_use_tool');
  const first = await agent.seen(asked, 'first question');
  expect(first['request']).toMatchObject({ tool_name: 'Write', input: { file_path: 'yes', content: 'y' } });
  expect(world.file('yes')).toBe(null);
  agent.answer(String(first['request_id']), { behavior: 'allow', updatedInput: { file_path: 'yes', content: 'Y!' } });
  const second = await agent.seen(asked, 'second question', 2);
  agent.answer(String(second['request_id']), { behavior: 'deny', message: 'not that one' });
  const third = await agent.seen(asked, 'third question', 3);
  agent.answer(String(third['request_id']), { behavior: 'allow' });
  expect(await agent.result()).toMatchObject({ is_error: false });
  expect([world.file('yes'), world.file('no'), world.file('ran')]).toEqual(['Y!', null, 'asked\n']);
  expect(toolCalls(agent)[1]).toMatchObject({ result: 'not that one', isError: true });
  expect(agent.printed.filter(({ state }) => state === 'requires_action')).toHaveLength(3);
});

it('a denial that interrupts ends the turn', async () => {
  const agent = world.act({ run: 'touch ran', ask: true }, { say: 'never said' });
  const { request_id: id } = await agent.seen(isRequest('can_use_tool'), 'the question');
  agent.answer(String(id), { behavior: 'deny', message: 'stop it', interrupt: true });
  expect(await agent.result()).toMatchObject({ is_error: true, terminal_reason: 'aborted_tools' });
  expect([world.file('ran'), texts(agent)]).toEqual([null, ['[Request interrupted by user for tool use]']]);
});

it('with --ask it asks before every change', async () => {
  const agent = world.start([{ say: 'hm' }, { write: { path: 'a', text: 'x' } }, { run: 'true' }], '--ask');
  agent.say('go');
  for (const nth of [1, 2]) {
    const { request_id: id } = await agent.seen(isRequest('can_use_tool'), `question ${nth}`, nth);
    agent.answer(String(id), { behavior: 'allow' });
  }
  expect(await agent.result()).toMatchObject({ is_error: false });
});

it("the host's hooks are asked: one can deny a call, another can end the turn after it", async () => {
  const agent = world.start([{ tool: { name: 'Write' } }, { tool: { name: 'Park', result: 'parked' } }, { say: 'no' }]);
  const hooks = {
    PreToolUse: [{ matcher: 'Write', hookCallbackIds: ['before'] }],
    PostToolUse: [{ matcher: 'Pa.*', hookCallbackIds: ['after'] }],
  };
  agent.control('initialize', { hooks });
  agent.say('go');
  const before = await agent.seen(isRequest('hook_callback'), 'the first hook');
  expect(before['request']).toMatchObject({ callback_id: 'before', input: { tool_name: 'Write' } });
  const decision = { permissionDecision: 'deny', permissionDecisionReason: 'no writing' };
  agent.answer(String(before['request_id']), { hookSpecificOutput: decision });
  const after = await agent.seen(isRequest('hook_callback'), 'the second hook', 2);
  expect(after['request']).toMatchObject({ callback_id: 'after', input: { hook_event_name: 'PostToolUse' } });
  agent.answer(String(after['request_id']), { continue: false, stopReason: 'parked' });
  expect(await agent.result()).toMatchObject({ is_error: false, result: '' });
  expect(toolCalls(agent).map(({ result }) => result)).toEqual(['no writing', 'parked']);
  expect(texts(agent)).toEqual([]);
});

it('a wrong script is reported when its turn begins, and no step of it runs', async () => {
  const agent = world.act({ write: { path: 'a', text: 'x' } }, { wiat: 5 });
  const result = await agent.result();
  expect(result).toMatchObject({ is_error: true });
  expect(result['result']).toMatch(/^step 2 of the script: "wiat" is not one of say,/);
  expect(world.file('a')).toBe(null);
});

it('without a script it leaves a note', async () => {
  const agent = world.start(null);
  agent.say('Fix it');
  await agent.result();
  expect(world.file('signalbox-notes/fix-it.md')).toBe('# Prompt\n\nFix it\n');
});

it('it loads few modules, since many agents start at once', () => {
  const root = join(import.meta.dirname, '../../..');
  const reached = new Set<string>();
  const open = ['src/harness/scripted/agent/scripted-agent.ts'];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (reached.has(file)) continue;
    reached.add(file);
    const text = readFileSync(join(root, file), 'utf8');
    // What is imported for its types alone, or on the way, costs nothing at the start.
    const now = text.replaceAll(/^import type[^;]*;$/gm, '').replaceAll(/import\('[^']*'\)/g, '');
    open.push(...importsOf(file, now));
  }
  // It is shipped as one file: this bounds what has to be read of it.
  expect(reached.size).toBeLessThanOrEqual(18);
});
