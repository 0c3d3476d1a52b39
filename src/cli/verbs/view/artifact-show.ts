// `signalbox artifact show`: prints the content of an artifact. On a terminal it is paged and stripped of control
// characters.

import { plainText, shownJson } from '../../../std/plain-text.ts';
import { artifactContent } from '../../../wire/artifact-views.ts';
import { type Context, exits, type Verb } from '../../client/context.ts';
import { openPage } from '../../terminal/pager.ts';

export interface ShowOptions {
  readonly kind?: string;
  readonly json?: boolean;
}

export interface Content {
  readonly id: string;
  readonly path: string;
  /** The file as it is. */
  readonly text: string;
}

export async function readContent({ client }: Pick<Context, 'client'>, word: string, kind?: string): Promise<Content> {
  const query = new URLSearchParams({ word, ...(kind === undefined ? {} : { kind }) });
  return client.get(`/artifact?${query.toString()}`, artifactContent);
}

export const artifactShow: Verb<ShowOptions> = async (context, [word = ''], { kind, json }) => {
  const { terminal } = context;
  const { id, path, text } = await readContent(context, word, kind);
  const artifact = JSON.parse(text) as { kind: string; value: unknown };
  if (json === true) await terminal.print(`${shownJson({ id, path, ...artifact })}\n`);
  else await show(context, contentText(artifact));
  return exits.ok;
};

/** A report is text; everything else is JSON. */
export function contentText({ kind, value }: { readonly kind: string; readonly value: unknown }): string {
  if (kind !== 'report') return `${shownJson(value, 2)}\n`;
  const { title, text, whole } = value as { title: string; text: string; whole?: string };
  const cut = whole === undefined ? '' : `\n[cut; full text in the transcript of ${whole}]\n`;
  return `${title}\n\n${text}\n${cut}`;
}

async function show(context: Context, text: string): Promise<void> {
  if (!process.stdout.isTTY) return context.terminal.print(text);
  const page = await openPage(context);
  await page.print(plainText(text));
  await page.close();
}
