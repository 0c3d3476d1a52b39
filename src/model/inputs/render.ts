// Inserts values into a plan's texts. Long values are cut, and the cut says where the whole is. In a prompt the outputs of
// other tasks are quoted: no agent's words become another's instructions.

import { cutTo } from '../../std/characters.ts';
import type { Json } from '../core/json.ts';
import { matrixOf } from '../core/lookup.ts';
import type { Run, Task } from '../core/run.ts';
import { jsonText, taskOutput, taskOutputNote } from '../messages/envelope.ts';
import { type Ref, resolveRef, type Text } from './reference.ts';

/** Characters of one value, and of all values of one text. */
export const valueMax = 16_000;
export const valuesMax = 64_000;

/** Names the place where a cut value can be read; null = none. */
type Whole = ((ref: Ref) => string) | null;

/** With unquoted values, for commands and for people. */
export function renderText(run: Run, task: Task, text: Text, whole: Whole): string {
  return withValues(text, whole, (ref) => ({ text: valueText(resolveRef(run, task, ref)), from: null }));
}

/** A task's prompt. */
export function renderPrompt(run: Run, task: Task, whole: Whole): string {
  let quotes = false;
  const words = withValues(task.spec.prompt, whole, (ref) => {
    const value = resolveRef(run, task, ref);
    const from = isText(value) ? giverOf(run, task, ref) : null;
    quotes ||= from !== null;
    return { text: from === null ? valueText(value) : valueText(value, jsonText), from };
  });
  return quotes ? `${words}\n\n${taskOutputNote}` : words;
}

/** `from`: the task whose output it is, to be quoted; null = inserted as it is. */
interface Value {
  readonly text: string;
  readonly from: string | null;
}

function withValues(text: Text, whole: Whole, valueOf: (ref: Ref) => Value): string {
  if (typeof text === 'string') return text;
  let left = valuesMax;
  const pieces = text.map((part): Piece => {
    if (typeof part === 'string') return { text: part, isQuotation: false };
    const value = valueOf(part);
    const shown = cutTo(value.text, Math.min(valueMax, left));
    left -= shown.length;
    const put = value.from === null ? shown : taskOutput(value.from, shown);
    const cut = shown.length === value.text.length ? '' : cutNote(value.text.length - shown.length, part, whole);
    return { text: put + cut, isQuotation: value.from !== null && put.includes('\n') };
  });
  return joined(pieces);
}

interface Piece {
  readonly text: string;
  /** Spans several lines. */
  readonly isQuotation: boolean;
}

/** A quotation stands on lines of its own. */
function joined(pieces: readonly Piece[]): string {
  let out = '';
  let before = false;
  for (const { text, isQuotation } of pieces) {
    const onOneLine = out !== '' && text !== '' && !out.endsWith('\n') && !text.startsWith('\n');
    out += (before || isQuotation) && onOneLine ? `\n${text}` : text;
    before = isQuotation;
  }
  return out;
}

function cutNote(left: number, ref: Ref, whole: Whole): string {
  return `\n[cut: ${left} more characters${whole === null ? '' : `; the whole is in ${whole(ref)}`}]`;
}

/** The task whose agent or command produced the referenced value. Values of a person or of the plan itself have none. */
function giverOf(run: Run, task: Task, { ref }: Ref): string | null {
  const [root, name, what] = ref;
  if (root === 'matrix') {
    const items = matrixOf(run, task)?.spec.items ?? null;
    return items === null || Array.isArray(items) ? null : giverOf(run, task, items as Ref);
  }
  if (root !== 'tasks' || what !== 'output' || name === undefined) return null;
  const id = run.graph.taskByName.get(name);
  return id === undefined || run.tasks.get(id)?.spec.kind === 'gate' ? null : name;
}

/** Numbers and booleans need no quoting. */
function isText(value: Json | undefined): boolean {
  return (typeof value === 'string' && value !== '') || (typeof value === 'object' && value !== null);
}

/** Strings as they are, everything else as JSON; a missing value is empty. */
function valueText(value: Json | undefined, json: (value: Json, indent: number) => string = plainJson): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : json(value, 2);
}

function plainJson(value: Json, indent: number): string {
  return JSON.stringify(value, null, indent);
}
