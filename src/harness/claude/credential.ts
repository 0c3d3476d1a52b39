// The credentials that Claude Code needs. Its own login file is not used: agents that share one log each other out.

import type { CredentialCheck } from '../agent-kind.ts';
import type { CredentialNeed } from '../credential-spec.ts';

/** An agent gets exactly one: of two, 2.1.197 takes the token and 2.1.325 the key. */
export const claudeCredential: CredentialNeed = {
  title: 'Claude Code',
  kinds: [
    { variable: 'ANTHROPIC_API_KEY', words: 'an API key', prefix: 'sk-ant-api' },
    { variable: 'CLAUDE_CODE_OAUTH_TOKEN', words: 'a long-lived token', prefix: 'sk-ant-oat' },
  ],
  how: [
    'With a Claude subscription: run `claude setup-token`; it prints a long-lived token.',
    'With an account that pays by use: make an API key at console.anthropic.com.',
    'The login of your own Claude Code is neither read nor copied: agents that share it would log you out.',
  ],
};

/** The CLI says what it would use without a request; whether that is valid only a request to a model shows. */
export const checkCredential: CredentialCheck = {
  args: ['auth', 'status', '--json'],
  read(answer, binary) {
    if (answer.kind === 'absent') return { kind: 'unasked', why: `Claude Code ("${binary}") is not installed` };
    try {
      const text = answer.kind === 'said' ? answer.text : '';
      const { loggedIn, authMethod } = JSON.parse(text) as { loggedIn?: unknown; authMethod?: unknown };
      if (loggedIn === true) return { kind: 'taken', by: String(authMethod) };
      if (loggedIn === false) return { kind: 'refused' };
    } catch {
      // Not the answer of the versions that we know.
    }
    return { kind: 'unasked', why: 'this version of Claude Code does not tell' };
  },
};
