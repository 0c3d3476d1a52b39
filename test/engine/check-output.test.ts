import { expect, it } from 'vitest';
import { readOutput } from '../../src/engine/watch/check-output.ts';
import type { TaskId } from '../../src/model/core/ids.ts';
import { plainTask } from '../plain-task.ts';

it('with an invalid schema every output is wrong, with the reason [OUT-1, OUT-5]', () => {
  const output = { type: 'object', properties: { a: { pattern: '(' } } };
  const task = { ...plainTask, id: 'task_x' as TaskId, name: 'x', prompt: 'x', output };
  expect(readOutput(task, { a: 'x' })).toEqual({
    kind: 'output',
    value: null,
    problems: ['nothing can fit the schema of the task: Invalid regular expression: /(/u: Unterminated group'],
  });
});
