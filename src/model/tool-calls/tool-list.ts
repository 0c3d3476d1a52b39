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
const place = { type: 'integer', minimum: 0, maximum: 1e12, default: 0, description: 'Where to go on reading.' };
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
  description: 'What it may spend, out of what you may.',
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
    'Asks for another agent and returns at once. It gets its own session, context, workspace and budget, and knows nothing ' +
      'but its prompt and its inputs: write out all that it has to know. You are told when it has ended.',
    { prompt: word('What it is to do, where, and what to give back.', 100_000) },
    {
      name: {
        type: 'string',
        pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$',
        description: 'What it is called. Left out: by number.',
      },
      role: word('A role of this run, as "implementer".', 64),
      harness: word('Another kind of agent than yours.', 64),
      model: word('Another model than yours.'),
      effort: word('Its effort, where its harness has such.', 40),
      script: { type: 'array', description: 'For the harness "scripted": its steps.' },
      writes: paths(0, 'What it may change, inside what you may. None: it only reads. Left out: as you.'),
      output: { type: 'object', description: 'JSON Schema of what it is to give.' },
      output_kind: { enum: [...namedKinds], description: 'In place of a schema: a kind of artifact.' },
      inputs: { type: 'array', items: task, maxItems: 50, description: 'Tasks whose results it is given.' },
      budget,
      timeout_s: seconds('It has failed after so long.'),
      team: word('A team of yours that it joins: then it stays when it has nothing to do.', 64),
    },
  ),
  tool(
    'wait',
    'Ends your turn until tasks have ended; you cost nothing meanwhile and are told then. Call it last.',
    {},
    {
      tasks: {
        type: 'array',
        items: task,
        maxItems: 1_000,
        description: 'Left out: all that you asked for and are open.',
      },
      mode: { enum: ['any', 'all'], default: 'all' },
      timeout_s: seconds('You are told at the latest after so long. Without tasks: you wait for messages.'),
    },
  ),
];

const looking: readonly ToolDefinition[] = [
  tool('get_task', 'The state of a task that you asked for, in short.', { task }),
  tool(
    'list_tasks',
    'All that you asked for, and what that asked for.',
    {},
    { open: { type: 'boolean', default: false }, from: place },
  ),
  tool(
    'read_output',
    'Reads what a task gave and said, an artifact whose id you were told, or the log of a check, whole, in parts.',
    {},
    {
      task,
      artifact: {
        type: 'string',
        pattern: '^artifact_[0-9a-f]{64}$',
        description: 'In place of a task: an artifact, by its id.',
      },
      log: { type: 'string', maxLength: 100, description: 'In place of a task: what a check printed, by its log.' },
      part: {
        enum: ['result', 'output', 'transcript'],
        default: 'result',
        description: 'What it said last, its typed output, or all it did.',
      },
      process: {
        type: 'integer',
        minimum: 1,
        maximum: 1_000_000,
        description: 'Of a transcript: which of its processes, 1 the first. Left out: the last.',
      },
      from: place,
    },
  ),
  tool(
    'stop_task',
    'Stops a task that you asked for, and all below it. Its work is kept.',
    { task },
    { reason: word('Why.', 500) },
  ),
  tool(
    'report_progress',
    'Tells people in one line how far you are.',
    { line: word('One line.', 200) },
    { fraction: { type: 'number', minimum: 0, maximum: 1 } },
  ),
  tool('complete_phase', 'Asks whether the phase of your task is complete but for you, and what is missing.'),
];

const speaking: readonly ToolDefinition[] = [
  tool(
    'send_message',
    'Writes to another agent. It gets it at its next step, or when it wakes. A message to another run needs a person who agrees, ' +
      'once for both runs: until then it is held, and you go on.',
    {
      to: word('Name or id of a task, "parent", "team:<name>" for all of a team, or "<run id>/<task>" in another run.'),
      text: { type: 'string', maxLength: messageMax },
    },
    { type: word('A word for what it is, as "question".', 64), data: { description: 'JSON that goes with it.' } },
  ),
  tool(
    'read_inbox',
    'Messages that you have not been given yet, or one of them whole. You are given messages by yourself; this is for what was cut.',
    {},
    { message: { type: 'string', pattern: '^message_[0-9]{1,12}$' }, from: place },
  ),
  tool(
    'ask_person',
    'Asks a person and ends your turn until there is an answer, however long that takes. Call it last.',
    { question: word('With all that the person has to know.', 4_000) },
    { options: { type: 'array', items: word('An answer to choose.', 100), maxItems: 20, uniqueItems: true } },
  ),
];

const handing: readonly ToolDefinition[] = [
  tool(
    'submit_artifact',
    'Hands over something typed: it is kept for good under an id that you can give to others, who read it by read_output. "output" is what your task is to give. After a "handoff" that leaves something to be done, end your turn: you are started afresh from it.',
    { kind: { enum: [...namedKinds, 'output'] }, value: { description: 'It has to fit the schema of its kind.' } },
  ),
  tool(
    'claim_paths',
    'Holds paths for you alone while you work on them, inside what you may change. They are free when your turn ends.',
    {
      paths: paths(1, 'All or none.'),
    },
  ),
  tool('release_paths', 'Gives paths back.', {}, { paths: paths(0, 'Left out: all.') }),
];

export const toolDefinitions: readonly ToolDefinition[] = [
  ...spawning,
  ...looking,
  ...speaking,
  ...handing,
  ...teamTools(tool),
];
