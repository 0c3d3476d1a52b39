// The tools that every agent has: names, descriptions and argument schemas. Pure data: src/engine/tool-calls validates calls
// against these schemas, and agents read the descriptions.

import { namedKinds } from '../attempt/artifact-kinds.ts';
import type { JsonObject } from '../core/json.ts';
import { messageMax } from '../messages/message.ts';
import type { ToolName } from './call.ts';
import { teamTools } from './team-tools.ts';

/** A tool of Signalbox as an agent sees it. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of its arguments. */
  readonly inputSchema: JsonObject;
}

const word = (description: string, maxLength = 200): JsonObject => ({
  type: 'string',
  minLength: 1,
  maxLength,
  description,
});
const task = word('Name or id of a task.');
const seconds = (description: string): JsonObject => ({ type: 'number', minimum: 0, maximum: 31_536_000, description });
const place = { type: 'integer', minimum: 0, maximum: 1e12, default: 0, description: 'Where to continue reading.' };
const paths = (minItems: number, description: string): JsonObject => ({
  type: 'array',
  items: word('A path or glob in the repository, as "src/api/**".', 1_000),
  minItems,
  maxItems: 200,
  description,
});

export function tool(
  name: ToolName,
  description: string,
  required: JsonObject = {},
  optional: JsonObject = {},
): ToolDefinition {
  const properties = { ...required, ...optional };
  const inputSchema = { type: 'object', properties, required: Object.keys(required), additionalProperties: false };
  return { name, description, inputSchema };
}

const amount = { type: 'integer', minimum: 1, maximum: 1e12 };
const budget: JsonObject = {
  type: 'object',
  description: 'What it may spend; taken out of your own budget.',
  properties: {
    tokens: amount,
    usd: { type: 'number', exclusiveMinimum: 0, maximum: 1e6 },
    turns: amount,
    minutes: amount,
  },
  additionalProperties: false,
};

const spawning: readonly ToolDefinition[] = [
  tool(
    'spawn_agent',
    'Spawns another agent as your child and returns at once. The child has its own session, context, workspace and budget. It ' +
      'knows only its prompt and its inputs, so the prompt must contain everything it needs. You are notified when it has ended.',
    { prompt: word('What to do, where, and what to return.', 100_000) },
    {
      name: {
        type: 'string',
        pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$',
        description: 'Its name. Left out: a number.',
      },
      role: word('A role of this run, for example "implementer".', 64),
      harness: word('The kind of agent. Left out: the same as yours.', 64),
      model: word('The model. Left out: the same as yours.'),
      effort: word('The reasoning effort, if its harness has such a setting.', 40),
      script: { type: 'array', description: 'The steps of a scripted agent (harness "scripted").' },
      writes: paths(0, 'The paths it may change, within your own. Empty: it only reads. Left out: the same as yours.'),
      output: { type: 'object', description: 'JSON Schema of its output.' },
      output_kind: { enum: [...namedKinds], description: 'A kind of artifact as its output, instead of a schema.' },
      inputs: { type: 'array', items: task, maxItems: 50, description: 'Tasks whose results it gets.' },
      budget,
      timeout_s: seconds('It fails after this time.'),
      team: word('A team of yours that it joins. A member stays when it has nothing to do.', 64),
    },
  ),
  tool(
    'wait',
    'Ends your turn and waits for tasks to end. Waiting costs nothing; you are notified when they have ended. Call it last in a turn.',
    {},
    {
      tasks: {
        type: 'array',
        items: task,
        maxItems: 1_000,
        description: 'Left out: all your children that have not ended.',
      },
      mode: { enum: ['any', 'all'], default: 'all' },
      timeout_s: seconds('The longest time to wait. Without any task to wait for, you wait for messages.'),
    },
  ),
];

const looking: readonly ToolDefinition[] = [
  tool('get_task', 'Shows the state of one of your children.', { task }),
  tool(
    'list_tasks',
    'Lists your children and their descendants.',
    {},
    { open: { type: 'boolean', default: false }, from: place },
  ),
  tool(
    'read_output',
    'Reads the whole result of a task, an artifact whose id you know, or the log of a check, part by part.',
    {},
    {
      task,
      artifact: {
        type: 'string',
        pattern: '^artifact_[0-9a-f]{64}$',
        description: 'The id of an artifact, instead of a task.',
      },
      log: { type: 'string', maxLength: 100, description: 'The name of the log of a check, instead of a task.' },
      part: {
        enum: ['result', 'output', 'transcript'],
        default: 'result',
        description: 'Its final text, its typed output, or its whole transcript.',
      },
      process: {
        type: 'integer',
        minimum: 1,
        maximum: 1_000_000,
        description: 'Which process of a transcript, counted from 1. Left out: the last.',
      },
      from: place,
    },
  ),
  tool(
    'stop_task',
    'Stops one of your children and its descendants. Their work is kept.',
    { task },
    { reason: word('Why.', 500) },
  ),
  tool(
    'report_progress',
    'Shows your progress to people, in one line.',
    { line: word('One line.', 200) },
    { fraction: { type: 'number', minimum: 0, maximum: 1 } },
  ),
  tool('complete_phase', 'Says whether the phase of your task is complete apart from you, or what is missing.'),
];

const speaking: readonly ToolDefinition[] = [
  tool(
    'send_message',
    'Sends a message to another agent, which reads it at its next step or when it resumes. A message to another run needs the ' +
      'consent of a person, once for both runs: until then it is held, and you can go on working.',
    {
      to: word('Name or id of a task, "parent", "team:<name>" for a whole team, or "<run id>/<task>" in another run.'),
      text: { type: 'string', maxLength: messageMax },
    },
    { type: word('Its type, for example "question".', 64), data: { description: 'JSON data.' } },
  ),
  tool(
    'read_inbox',
    'Reads unread messages, or one message whole. Messages also arrive by themselves; use this for one that was cut.',
    {},
    { message: { type: 'string', pattern: '^message_[0-9]{1,12}$' }, from: place },
  ),
  tool(
    'ask_person',
    'Asks a person a question and ends your turn until it is answered, however long that takes. Call it last in a turn.',
    { question: word('The question, with everything the person needs to know.', 4_000) },
    { options: { type: 'array', items: word('An answer to choose from.', 100), maxItems: 20, uniqueItems: true } },
  ),
];

const handing: readonly ToolDefinition[] = [
  tool(
    'submit_artifact',
    'Stores a typed result for good, under an id that you can pass to other agents; they read it with read_output. Kind "output" is the output of your task. After a "handoff" with remaining work, end your turn: you continue in a fresh session that starts from it.',
    {
      kind: { enum: [...namedKinds, 'output'] },
      value: { description: 'The content, valid against the schema of its kind.' },
    },
  ),
  tool('claim_paths', 'Claims paths within your own for yourself while you work on them. Claims end with your turn.', {
    paths: paths(1, 'You get all of them or none.'),
  }),
  tool('release_paths', 'Releases claimed paths.', {}, { paths: paths(0, 'Left out: all.') }),
];

export const toolDefinitions: readonly ToolDefinition[] = [
  ...spawning,
  ...looking,
  ...speaking,
  ...handing,
  ...teamTools(tool),
];
