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
        description: 'Numbers of items that must be done first.',
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
      'Creates a team that you lead. Agents join it when you spawn them with "team".',
      { name: team },
      {
        purpose: { type: 'string', maxLength: 2_000, default: '' },
      },
    ),
    tool('team_list', 'Lists the teams of this run, their members and what each member is doing.'),
    tool(
      'team_delete',
      'Ends a team that you lead. Active members are asked to end first; call it again when they have ended.',
      { team },
      {
        force: { type: 'boolean', default: false, description: 'Stop members that do not agree to end.' },
      },
    ),
    tool(
      'team_tasks',
      'Changes the shared list of a team (adds items, marks items as done, gives items back; all changes or none) and returns the list.',
      { team },
      {
        add: { type: 'array', items: item, maxItems: 100, default: [] },
        done: { type: 'array', items: done, maxItems: 100, default: [] },
        give_back: { type: 'array', items: number, maxItems: 100, default: [] },
        from: {
          type: 'integer',
          minimum: 0,
          maximum: 1_000_000,
          default: 0,
          description: 'Where to continue reading.',
        },
        show: { ...number, description: 'The number of one item to show whole, instead of the list.' },
      },
    ),
    tool(
      'claim_task',
      'Claims an item of the shared list: exactly one agent gets it.',
      { team },
      {
        n: { ...number, description: 'Left out: the first free item.' },
      },
    ),
  ];
}
