// The tools of teams, as agents see them.

import type { JsonObject } from '../core/json.ts';
import type { ToolName } from './call.ts';
import type { ToolDefinition } from './tool-list.ts';

type Define = (name: ToolName, description: string, required?: JsonObject, optional?: JsonObject) => ToolDefinition;

const team = { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$', description: 'Name of a team.' };
const number = { type: 'integer', minimum: 1, maximum: 1_000_000 };

export function teamTools(tool: Define): readonly ToolDefinition[] {
  const item = {
    type: 'object',
    properties: {
      title: { type: 'string', minLength: 1, maxLength: 200 },
      text: { type: 'string', maxLength: 10_000, default: '' },
      needs: {
        type: 'array',
        items: number,
        maxItems: 50,
        default: [],
        description: 'Numbers that have to be done first.',
      },
    },
    required: ['title'],
    additionalProperties: false,
  };
  const done = {
    type: 'object',
    properties: { n: number, result: { type: 'string', maxLength: 2_000, default: '' } },
    required: ['n'],
    additionalProperties: false,
  };
  return [
    tool(
      'team_create',
      'Makes a team that you lead. Agents join it by spawn_agent with "team".',
      { name: team },
      {
        purpose: { type: 'string', maxLength: 2_000, default: '' },
      },
    ),
    tool('team_list', 'The teams of this run: who is in them, and what each is at.'),
    tool(
      'team_delete',
      'Ends a team of yours. While it has active members they are asked to end, and you call it again when they have.',
      { team },
      {
        force: { type: 'boolean', default: false, description: 'Stops members that do not agree.' },
      },
    ),
    tool(
      'team_tasks',
      'The shared list of a team: adds to it, marks as done, gives back, all of it or none; answers with the list.',
      { team },
      {
        add: { type: 'array', items: item, maxItems: 100, default: [] },
        done: { type: 'array', items: done, maxItems: 100, default: [] },
        give_back: { type: 'array', items: number, maxItems: 100, default: [] },
        from: { type: 'integer', minimum: 0, maximum: 1_000_000, default: 0, description: 'Where to go on reading.' },
        show: { ...number, description: 'One of it whole, in place of the list.' },
      },
    ),
    tool(
      'claim_task',
      'Takes something of the list for yourself: exactly one gets it.',
      { team },
      {
        n: { ...number, description: 'Left out: the first that is free.' },
      },
    ),
  ];
}
