import { describe, expect, it } from 'vitest';
import type { Problem } from './file/problem.ts';
import { parseRole } from './read-role.ts';
import type { Role } from './role.ts';

const file = '.claude/agents/reader.md';
const written = (head: string, body = 'Read.'): string => `---\n${head}\n---\n${body}\n`;
const minimal = 'name: reader\ndescription: Reads.';

function role(text: string): Role {
  const parsed = parseRole(text, file);
  if (Array.isArray(parsed)) throw new Error(parsed.map(({ message }) => message).join('; '));
  return parsed as Role;
}

function problems(text: string): string[] {
  const parsed = parseRole(text, file);
  if (!Array.isArray(parsed)) throw new Error('there is nothing wrong with it');
  return (parsed as Problem[]).map(({ line, column, message }) => `${line}:${column} ${message}`);
}

function suggestions(text: string): (string | null)[] {
  return (parseRole(text, file) as Problem[]).map(({ suggestion }) => suggestion);
}

describe('a role file', () => {
  it("is read like Claude Code's agents: fields at the head, the prompt below [ROLE-1]", () => {
    const text = written(
      'name: reader\ndescription: Reads.\ntools: Read, Grep\nmodel: haiku\ncolor: red',
      '\nRead it.\n\nAll.',
    );
    expect(role(text)).toEqual({
      name: 'reader',
      description: 'Reads.',
      tools: ['Read', 'Grep'],
      model: 'haiku',
      prompt: 'Read it.\n\nAll.',
      file,
    });
    expect(role(written(minimal))).toMatchObject({ tools: null, model: null });
  });

  it('may have the line ends of any system [ROLE-1]', () => {
    const text = written(`${minimal}\ntools: Read`, 'One.\nTwo.').replaceAll('\n', '\r\n');
    expect(role(`\uFEFF${text}`)).toMatchObject({ name: 'reader', tools: ['Read'], prompt: 'One.\nTwo.' });
  });

  it('names fallback models [ROLE-1]', () => {
    const fallback = (value: string) => role(written(`${minimal}\nfallback: ${value}`)).fallback;
    expect(fallback('sonnet, haiku')).toEqual(['sonnet', 'haiku']);
    expect(fallback('[sonnet]')).toEqual(['sonnet']);
    expect(role(written(minimal)).fallback).toBeUndefined();
    expect(problems(written(`${minimal}\nfallback: 5`))).toEqual(['4:1 "fallback" must be names of models']);
    expect(problems(written(`${minimal}\nfallback: [${'a, '.repeat(11)}]`))).toEqual([
      '4:1 "fallback" has 11 models, more than 10',
    ]);
    expect(suggestions(written(`${minimal}\nfallbacks: a`))).toEqual(['did you mean "fallback"?']);
  });

  it('names tools in a line or a list, none, or all [ROLE-1]', () => {
    const tools = (value: string): readonly string[] | null => role(written(`${minimal}\ntools: ${value}`)).tools;
    expect(tools('Read,Grep , mcp__tracker__find')).toEqual(['Read', 'Grep', 'mcp__tracker__find']);
    expect(tools('\n  - Read\n  - Grep')).toEqual(['Read', 'Grep']);
    expect(tools('[]')).toEqual([]);
    expect(tools('')).toBeNull();
    expect(tools('"*"')).toBeNull();
    expect(role(written(`${minimal}\ndisallowedTools: Write, Bash(a, b)`)).deniedTools).toEqual([
      'Write',
      'Bash(a, b)',
    ]);
  });

  it('sets what happens when the context window of its agent fills up [ROLE-1, HAND-15]', () => {
    const said = role(written(`${minimal}\ncontext: handoff\ncontext-threshold: 70`));
    expect(said).toMatchObject({ context: 'handoff', contextThreshold: 70 });
    for (const wrong of ['context: sometimes', 'context-threshold: 120', 'context-threshold: much']) {
      const told = parseRole(written(`${minimal}\n${wrong}`), 'f.md');
      expect(told, wrong).toMatchObject([{ severity: 'error' }]);
    }
  });

  it("uses the task's model if it says inherit [ROLE-1]", () => {
    expect(role(written(`${minimal}\nmodel: inherit`)).model).toBeNull();
  });

  it('may have a description that is not YAML, as generated ones do [ROLE-2]', () => {
    const prose = 'Use it when: reading. Examples:\\n<example>\nuser: "a"\\nassistant: "b"\nuser: "c"\n</example>';
    const read = role(written(`name: reader\ndescription: ${prose}\ntools: Read`));
    expect(read.description).toBe(prose.replaceAll('\\n', '\n'));
    expect(read.tools).toEqual(['Read']);
    expect(role(written('description: So: it is\nname: reader')).name).toBe('reader');
  });

  it('with something missing is reported with its place [ROLE-3]', () => {
    expect(problems('Read.')).toEqual(['1:1 there is no front matter']);
    expect(problems('---\nname: x\n')).toEqual(['1:1 the front matter has no end']);
    expect(problems('---\n---\nx')).toEqual(['1:1 a role needs a name', '1:1 a role needs a description']);
    expect(problems(written('- a\n- b'))).toEqual(['2:1 the front matter has no fields']);
    expect(problems(written('name:\ndescription: x'))).toEqual(['2:1 a role needs a name']);
    expect(problems(written(minimal, ' \n'))).toEqual(['5:1 a role needs a prompt']);
    expect(problems(written(minimal, 'x'.repeat(100_001)))).toEqual([
      '5:1 the prompt has 100001 characters, more than 100000',
    ]);
  });

  it('with something wrong is reported with its place [ROLE-3]', () => {
    expect(problems(written(`${minimal}\nmodel: 5`))).toEqual(['4:1 "model" must be a text']);
    expect(suggestions(written(`${minimal}\nmodel: 5`))).toEqual(['quote it: model: "5"']);
    expect(problems(written(`${minimal}\ntools: { Read: true }`))).toEqual(['4:1 "tools" must be names of tools']);
    // The CLI accepts names only, and would silently leave such a tool out.
    const ruled = written(`${minimal}\ntools: Read, Bash(git log:*)`);
    expect(problems(ruled)).toEqual(['4:1 "Bash(git log:*)" is a rule and not a tool']);
    expect(suggestions(ruled)).toEqual(['write "Bash" here, and the rule under "permissions" in the plan']);
    expect(problems(written('name: Code Reader!\ndescription: x'))).toEqual([
      expect.stringMatching(/^2:1 a name has letters/),
    ]);
    expect(suggestions(written('name: Code Reader!\ndescription: x'))).toEqual(['name: code-reader']);
    expect(problems(written(`${minimal}\ntools: [Read`))).toEqual([
      expect.stringMatching(/^4:\d+ the front matter is not YAML: /),
    ]);
    expect(problems(written('name: a\nname: b\ndescription: "x"'))).toEqual([expect.stringMatching(/^3:1 .*unique/)]);
  });

  it('may have fields of its own, but no misspelt limiting field [ROLE-3]', () => {
    expect(role(written(`${minimal}\nversion: 2\nmode: subagent\npermissionMode: default`)).name).toBe('reader');
    for (const slip of ['tool', 'Tools', 'allowed-tools']) {
      const text = written(`${minimal}\n${slip}: Read`);
      expect(problems(text)).toEqual([`4:1 "${slip}" is no field of a role`]);
      expect(suggestions(text)).toEqual(['did you mean "tools"?']);
    }
  });

  it('chooses MCP servers by name, in either field [ROLE-8]', () => {
    expect(role(written(`${minimal}\nmcp: github, postgres`)).mcp).toEqual(['github', 'postgres']);
    expect(role(written(`${minimal}\nmcpServers:\n  - github`)).mcp).toEqual(['github']);
    expect(role(written(`${minimal}\nmcp: none`)).mcp).toEqual([]);
    expect(role(written(minimal)).mcp).toBeUndefined();
  });

  it.each([
    ['hooks:\n  Stop: []', '"hooks" of a role are not run'],
    ['permissionMode: bypassPermissions', '"permissionMode: bypassPermissions" of a role is not used'],
    ['mcpServers:\n  - github: { command: x }', 'an MCP server defined in a role is not used'],
    ['mcpServers: { github: { command: x } }', 'an MCP server defined in a role is not used'],
  ])('with %j is refused by name [ROLE-8]', (field, problem) => {
    expect(problems(written(`${minimal}\n${field}`))).toEqual([`4:1 ${problem}`]);
  });

  it('with values that multiply themselves is read safely [ROLE-3]', () => {
    const bomb = [
      'a: &a [x, x, x]',
      ...'bcdefghij'.split('').map((c, i) => `${c}: &${c} [${`*${'abcdefghi'[i]},`.repeat(9)}]`),
    ];
    expect(problems(written(`${minimal}\n${bomb.join('\n')}`))).toEqual([expect.stringMatching(/^1:1 .*alias/)]);
    expect(problems(written(`${minimal}\na: *b`))).toEqual([expect.stringMatching(/^\d+:\d+ .*alias/)]);
  });
});
