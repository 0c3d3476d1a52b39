import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Circumstances, callOf, flawOfRule, judge, noRules, type PermissionRequest } from './permission.ts';

const bash = (command: string): PermissionRequest => ({ requestId: 'r', tool: 'Bash', input: { command } });
const write = (path: string): PermissionRequest => ({
  requestId: 'r',
  tool: 'Write',
  input: { file_path: path, content: 'x' },
});
const at = (more: Partial<Circumstances> = {}): Circumstances => ({
  rules: noRules,
  remembered: [],
  sandboxed: false,
  workspace: '/w',
  ...more,
});
const allow = (...rules: string[]) => at({ rules: { ...noRules, allow: rules } });
const deny = (...rules: string[]) => at({ rules: { ...noRules, deny: rules }, sandboxed: true });

describe('a call that no rule mentions', () => {
  it('is allowed inside a sandbox and asked outside [PERM-1]', () => {
    expect(judge(bash('rm -rf .'), at({ sandboxed: true }))).toBe('allow');
    expect(judge(bash('ls'), at())).toBe('ask');
  });

  it('that is a question to the user is always asked', () => {
    expect(judge({ requestId: 'r', tool: 'T', input: {}, questions: [] }, at({ sandboxed: true }))).toBe('ask');
  });
});

describe('rules', () => {
  it('the strictest rule wins [PERM-2]', () => {
    const rules = { allow: ['Bash'], ask: ['Bash(git push:*)'], deny: ['Bash(rm *)'] };
    expect(judge(bash('ls'), at({ rules }))).toBe('allow');
    expect(judge(bash('git push origin main'), at({ rules, sandboxed: true }))).toBe('ask');
    expect(judge(bash('rm -rf x'), at({ rules, sandboxed: true }))).toBe('deny');
  });

  it('match tools by name, also by a pattern', () => {
    const call = { requestId: 'r', tool: 'mcp__github__create_issue', input: {} };
    expect(judge(call, allow('mcp__github__*'))).toBe('allow');
    expect(judge(call, allow('mcp__gitlab__*'))).toBe('ask');
  });

  it('match a command with arguments after :* [PERM-7]', () => {
    const circumstances = allow('Bash(npm test:*)');
    expect(judge(bash('npm test'), circumstances)).toBe('allow');
    expect(judge(bash('npm test -- --watch'), circumstances)).toBe('allow');
    expect(judge(bash('npm testament'), circumstances)).toBe('ask');
  });

  it.each([
    'npm test; rm -rf /',
    'npm test && curl x',
    'npm test | sh',
    'npm test > /etc/x',
    'npm test $(id)',
    'npm test `id`',
    'npm test\nrm x',
  ])('allow nothing appended to an allowed command: %j [PERM-7]', (command) =>
    expect(judge(bash(command), allow('Bash(npm test:*)', 'Bash(npm *)'))).toBe('ask'),
  );

  it.each(['cd x && rm -rf y', 'true; rm x', '(rm x)', 'echo $(rm x)', 'a | rm x', 'a\nrm x'])(
    'find a forbidden command within others: %j [PERM-7]',
    (command) => expect(judge(bash(command), deny('Bash(rm *)'))).toBe('deny'),
  );

  it('match paths below the workspace unless they begin at the root [PERM-2]', () => {
    expect(judge(write('/w/src/a/b.ts'), allow('Write(src/**)'))).toBe('allow');
    expect(judge(write('src/b.ts'), allow('Write(src/*.ts)'))).toBe('allow');
    expect(judge(write('src/a/b.ts'), allow('Write(src/*.ts)'))).toBe('ask');
    expect(judge(write('/w/src/../../etc/passwd'), allow('Write(src/**)'))).toBe('ask');
    expect(judge(write('/wother/src/a'), allow('Write(**)'))).toBe('ask');
    expect(judge(write('/etc/hosts'), deny('Write(/etc/**)'))).toBe('deny');
  });

  it('never allow a path outside the workspace by a rule that begins inside', () => {
    const part = fc.constantFrom('src', '..', '.', 'a', 'x.ts');
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), fc.constantFrom('', '/', '/w/', '/w/../'), (parts, start) => {
        const path = start + parts.join('/');
        const resolved = new URL(path.startsWith('/') ? path : `/w/${path}`, 'file:///').pathname;
        if (judge(write(path), allow('Write(**)')) === 'allow') expect(resolved.startsWith('/w/')).toBe(true);
      }),
    );
  });

  it('that are invalid are reported', () => {
    for (const rule of ['Bash', 'Bash(a)', 'mcp__*', 'Write(src/**)']) expect(flawOfRule(rule)).toBeNull();
    for (const rule of ['', 'Bash()', 'Bash(a', 'two words', '(x)'])
      expect(flawOfRule(rule)).toContain('is not a rule');
  });
});

describe('a remembered decision', () => {
  it('applies to the same call, whatever the order of its arguments, or to the whole tool [PERM-4]', () => {
    const call = callOf({ b: 1, a: { d: 2, c: 3 } });
    const remembered = [{ tool: 'T', call, approved: true }];
    expect(judge({ requestId: 'r', tool: 'T', input: { a: { c: 3, d: 2 }, b: 1 } }, at({ remembered }))).toBe('allow');
    expect(judge({ requestId: 'r', tool: 'T', input: { a: 1 } }, at({ remembered }))).toBe('ask');
    const all = [{ tool: 'T', call: null, approved: false }];
    expect(judge({ requestId: 'r', tool: 'T', input: {} }, at({ remembered: all, sandboxed: true }))).toBe('deny');
  });

  it('does not override a rule that forbids', () => {
    const remembered = [{ tool: 'Bash', call: null, approved: true }];
    expect(judge(bash('rm x'), at({ remembered, rules: { ...noRules, deny: ['Bash(rm *)'] } }))).toBe('deny');
  });
});
