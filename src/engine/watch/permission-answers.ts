// Answers a permission request at once if the task's rules decide it.

import { judge, type PermissionRequest } from '../../model/asks/permission.ts';
import type { Attempt } from '../../model/core/attempt.ts';
import { taskOf } from '../../model/core/lookup.ts';
import type { Run } from '../../model/core/run.ts';
import type { AnswerBody } from '../../ports/harness.ts';

/** null = a person has to decide. */
export function byTheRules(run: Run, attempt: Attempt, ask: PermissionRequest): AnswerBody | null {
  const { requestId, input } = ask;
  const deny = (message: string): AnswerBody => ({ kind: 'deny', requestId, message, interrupt: false });
  const bytes = Buffer.byteLength(JSON.stringify(input) ?? '');
  // It would have to be stored in the journal, and no person would read it.
  if (bytes > askBytesMax) {
    return deny(`${bytes} bytes are too much to ask permission for: do it in parts of less than ${askBytesMax}.`);
  }
  const { permissions: rules, sandbox } = taskOf(run, attempt.taskId).spec;
  const { remembered } = run;
  const workspace = attempt.workspace.path;
  switch (judge(ask, { rules, remembered, sandboxed: sandbox === 'workspace', workspace })) {
    case 'allow':
      return { kind: 'allow', requestId, input };
    case 'deny':
      return deny('The rules of this run do not permit it. Go on without it.');
    case 'ask':
      return null;
  }
}

const askBytesMax = 500_000;
