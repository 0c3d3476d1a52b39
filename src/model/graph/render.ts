// Texts of a plan with the values put in. Bounded: of a long value the beginning stands in the text, and the cut says
// where the whole is.

import type { Json } from '../json.ts';
import type { Run, Task } from '../run.ts';
import { type Ref, resolveRef, type Text } from './reference.ts';

/** Of one value, and of all that a text gets put in. */
export const valueMax = 16_000;
export const valuesMax = 64_000;

/** `whole` names the place where a value that was cut can be read; null = there is none. */
export function renderText(run: Run, task: Task, text: Text, whole: ((ref: Ref) => string) | null): string {
  if (typeof text === 'string') return text;
  let left = valuesMax;
  const parts = text.map((part) => {
    if (typeof part === 'string') return part;
    const value = valueText(resolveRef(run, task, part));
    const shown = value.slice(0, Math.min(valueMax, left));
    left -= shown.length;
    if (shown.length === value.length) return shown;
    const where = whole === null ? '' : `; the whole is in ${whole(part)}`;
    return `${shown}\n[cut: ${value.length - shown.length} more characters${where}]`;
  });
  return parts.join('');
}

/** Texts as they are, so that a name is a name; all else as JSON. What is not there is empty. */
function valueText(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}
