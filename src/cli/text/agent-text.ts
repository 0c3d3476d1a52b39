// Short texts for what an agent does and reports. Callers strip control characters. Pure.

import type { ProgressView, TaskView } from '../../wire/views.ts';
import { cutToWidth } from './text-width.ts';

/** As in `50 %: half of the tests`; empty if it reported nothing. */
export function toldWords(told: TaskView['told'] | undefined): string {
  if (told === null || told === undefined) return '';
  return told.fraction === null ? told.line : `${Math.round(100 * told.fraction)} %: ${told.line}`;
}

/** What its open tool calls do, and its last text; empty if unknown. */
export function activityWords(progress: ProgressView | null): string {
  if (progress === null) return '';
  const { doing, callsOpen, lastCall, lastText } = progress;
  if (doing === null) return lastText ?? lastCall ?? '';
  const more = callsOpen > 1 ? ` (and ${callsOpen - 1} more)` : '';
  return [`${cutToWidth(doing, callWidth)}${more}`, lastText ?? ''].filter((part) => part !== '').join('  ');
}

/** Leaves room for its text. */
const callWidth = 50;

/** An MCP tool `mcp__server__tool` as `server tool`. */
export function toolName(name: string): string {
  return name.replace(/^mcp__(.+?)__/, '$1 ');
}
