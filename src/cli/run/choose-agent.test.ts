import { describe, expect, it } from 'vitest';
import { usableAgent } from './choose-agent.ts';

const agent = (harness: string, flaw: string | null = null) => ({ harness, title: harness, flaw });

describe('of several agents', () => {
  it('the one last used in the repository works, else the first [CHOICE-6]', () => {
    const agents = [agent('a', 'a is not installed'), agent('b'), agent('c')];
    expect(usableAgent({ agents, lastUsed: 'c' })).toEqual({ harness: 'c', why: 'last used in this repository' });
    const first = { harness: 'b', why: 'the first of 2 that are installed and logged in here' };
    expect(usableAgent({ agents, lastUsed: null })).toEqual(first);
    // It was used here before and cannot be used now.
    expect(usableAgent({ agents, lastUsed: 'a' })).toEqual(first);
  });

  it('where none can be used, each says what to do [CHOICE-1]', () => {
    const agents = [agent('a', 'a is not installed: install it'), agent('b', 'b has no credential: log in')];
    const nobody = (): unknown => usableAgent({ agents, lastUsed: null });
    expect(nobody).toThrow(/- a is not installed: install it\n {2}- b has no credential: log in/);
  });
});
