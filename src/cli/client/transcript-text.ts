// Renders a transcript line for people. All of it is agent text. Pure.

import { parseBounded } from '../../std/bounded-json.ts';
import { plainLine, plainText, printedText } from '../../std/plain-text.ts';
import { toolName } from '../text/agent-text.ts';

/** null: a line that people need not see. */
export function showLine(line: string): string | null {
  const record = parse(line);
  // Agents print records with a type; a command may print any JSON.
  if (record === null || typeof record['type'] !== 'string')
    return line.trim() === '' || marked.test(line) ? null : printedText(line);
  switch (record['type']) {
    case 'assistant':
      return plainText(assistantText(record)) || null;
    case 'user':
      return record['isReplay'] === true ? quoted(contentOf(record)) : failedText(record);
    case 'result':
      return plainText(`[turn ${record['is_error'] === false ? 'ended' : 'failed'}${endWords(record['result'])}]`);
    case 'system':
      return record['subtype'] === 'init' ? plainText(`[session ${textOf(record['session_id'])}]`) : null;
    default:
      return null;
  }
}

/** What the launcher of a command prints for Signalbox. */
const marked = /^signalbox-command:(?:begun record_[\w-]+ [0-9a-f]{32}|result [0-9a-f]{32}|output [0-9a-f]{32} .*)$/;

type Json = Readonly<Record<string, unknown>>;

function assistantText(record: Json): string {
  const content = (record['message'] as { content?: unknown } | undefined)?.content;
  if (!Array.isArray(content)) return typeof content === 'string' ? content : '';
  return content
    .map(blockText)
    .filter((text) => text !== '')
    .join('\n');
}

/** A tool call that failed or was refused; other results are not shown. */
function failedText(record: Json): string | null {
  const content = (record['message'] as { content?: unknown } | undefined)?.content;
  const failed = (Array.isArray(content) ? content : []).filter(
    (block) => isObject(block) && block['is_error'] === true,
  );
  const lines = failed.map((block: Json) => {
    const told = Array.isArray(block['content']) ? block['content'].map(blockText).join(' ') : textOf(block['content']);
    const line = plainLine(told);
    return `[failed: ${line.length > failedMax ? `${line.slice(0, failedMax)}…` : line}]`;
  });
  return lines.length === 0 ? null : lines.join('\n');
}

const failedMax = 300;

function blockText(block: unknown): string {
  if (!isObject(block)) return '';
  if (typeof block['text'] === 'string') return block['text'];
  return block['type'] === 'tool_use' ? toolWords(textOf(block['name']), block['input']) : '';
}

/** One line: the tool and the most telling part of its input. */
function toolWords(name: string, input: unknown): string {
  const given: Json = isObject(input) ? input : {};
  const key = telling.find((each) => typeof given[each] === 'string');
  const what = key === undefined ? (Object.keys(given).length === 0 ? '' : JSON.stringify(given)) : textOf(given[key]);
  const line = plainLine(what);
  return `[uses ${toolName(name)}${line === '' ? '' : `: ${line.length > toolWordsMax ? `${line.slice(0, toolWordsMax)}…` : line}`}]`;
}

const toolWordsMax = 160;
const telling = [
  'command',
  'file_path',
  'notebook_path',
  'path',
  'pattern',
  'url',
  'query',
  'description',
  'prompt',
  'question',
  'line',
  'text',
];

function contentOf(record: Json): string {
  const content = (record['message'] as { content?: unknown } | undefined)?.content;
  return textOf(content);
}

/** A turn that ends in a wait has no result. */
function endWords(result: unknown): string {
  return result === undefined || result === '' ? '' : `: ${textOf(result)}`;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? '');
}

function quoted(text: string): string {
  return plainText(text)
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');
}

function parse(line: string): Json | null {
  try {
    const { value } = parseBounded(line);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
