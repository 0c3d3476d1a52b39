// Rules on prompts: the task's own text with its references resolved, then what it has to account for, the conflict, what was
// tried before, and nothing else.

import type { LaunchView } from '../view/attempt-view.ts';
import { blame, type View } from '../view/view.ts';
import { inputsOf, rendered } from './values.ts';

const triedMax = 4_000;
const resolverWords = 'bring both together\n\n---\n\n';

export function checkPrompt(view: View, { id: launchId, attempt }: LaunchView, id: string, said: string): void {
  const { task } = attempt;
  const { prompt = '', accounts = false } = task.spec;
  // A resolver has a role of its own.
  const resolves = task.conflicts > 0 && attempt.agentId === attempt.id.replace('attempt_', 'agent_');
  const words = `${resolves ? resolverWords : ''}${rendered(task, prompt)}`;
  if (said !== words && !said.startsWith(`${words}\n\n`)) {
    return blame(view, 5, `${launchId} was told something else by ${id} than its task says`);
  }
  const sections = said.slice(words.length).split(/\n\n(?=## |You have worked on this before)/);
  const [between, ...told] = sections;
  const section = (title: string): string | undefined => told.find((text) => text.startsWith(title));
  if (between !== '') blame(view, 5, `${launchId} was told more by ${id} than its task says`);
  const inputs = section('## Inputs');
  const declared = (task.spec.inputs ?? []).length > 0;
  if ((inputs !== undefined) !== (accounts || declared))
    blame(view, 5, `${launchId} has to account for what it is not told of`);
  attempt.inputs = !accounts
    ? []
    : Array.from((inputs ?? '').matchAll(/^### (\S+), from task/gm), ([, each]) => each as string);
  if (accounts && attempt.inputs.join() !== inputsOf(task).join()) {
    blame(view, 5, `${launchId} is given ${attempt.inputs.join()} to account for, not ${inputsOf(task).join()}`);
  }
  const conflict = section('## The work is there, and does not fit');
  if ((conflict !== undefined) !== task.conflicts > 0) {
    blame(view, 5, `${launchId} is ${conflict === undefined ? 'not told' : 'told'} of work that does not fit`);
  }
  const tried = section('## Earlier attempts');
  if ((tried !== undefined) !== (task.lastFailure !== null)) {
    blame(view, 5, `${launchId} is ${tried === undefined ? 'not told' : 'told'} of earlier attempts that failed`);
  } else if (tried !== undefined) {
    if (tried.length > triedMax) blame(view, 5, `${launchId} is told ${tried.length} characters of earlier attempts`);
    if (!tried.includes(`ended with ${task.lastFailure}`)) {
      blame(view, 5, `${launchId} is not told that the attempt before ended with ${task.lastFailure}`);
    }
  }
}
