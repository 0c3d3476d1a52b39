// What Codex needs to be let in. Its own login file is no part of it: where a refresh token can be used only once, agents with copies
// of one file log each other out, and the user with them (what was measured, and with what: docs/codex.md).

import type { CredentialCheck } from '../agent-kind.ts';
import type { CredentialNeed } from '../credential-spec.ts';

export const codexCredential: CredentialNeed = {
  title: 'Codex',
  kinds: [
    { variable: 'OPENAI_API_KEY', words: 'an API key', prefix: 'sk-' },
    // Codex itself takes this one for `codex exec` only; its configuration names one variable.
    { variable: 'CODEX_API_KEY', as: 'OPENAI_API_KEY', words: 'an API key', prefix: '' },
  ],
  how: [
    'Make an API key at platform.openai.com.',
    'The login of your own Codex is neither read nor copied: agents that share it could log you out.',
  ],
};

/** Codex tells of its own login only. What it is given here it uses, and only a request to a model shows whether that is let in. */
export const checkCredential: CredentialCheck = {
  args: ['--version'],
  read(answer, binary) {
    if (answer.kind === 'absent') return { kind: 'unasked', why: `Codex ("${binary}") is not installed` };
    return { kind: 'unasked', why: 'Codex does not tell before its first request' };
  },
};
