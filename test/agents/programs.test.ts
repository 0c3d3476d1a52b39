// The real agent programs that these suites run: each can be had at exactly the version that is named.

import { expect, it } from 'vitest';
import { installed, withoutProgram } from '../model-server/agent-programs.ts';
import { agentPrograms } from './agent-list.ts';

it.for(agentPrograms)('$title $version can be installed', { timeout: 6 * 60_000 }, async (program, { skip }) => {
  const found = await installed(program);
  if (found.kind === 'missing') return withoutProgram(skip, found.why);
  expect(found.binary).toContain(program.version);
});
