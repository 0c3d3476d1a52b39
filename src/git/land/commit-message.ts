// The message of a commit that lands work: what changed and why, in the words of the agent. Stripped of what a terminal or git
// could misinterpret, bounded, and wrapped like git's own messages. Pure.

import { plainText } from '../../std/plain-text.ts';
import { wrapText } from './wrap-text.ts';

/** The texts that a message is made from. */
export interface MessageSource {
  /** The messages of the commits that the agent made itself. */
  readonly own: readonly string[];
  /** Its last words. */
  readonly said: string;
  /** Its prompt. */
  readonly asked: string;
  /** The name of its task. */
  readonly title: string;
}

export const subjectMax = 72;
const bodyMax = 3_000;

/**
 * Subject and body without trailers: the agent's own commit message if it made one commit; else its last words; else its
 * prompt.
 */
export function messageOf({ own, said, asked, title }: MessageSource): string {
  const [only = ''] = own.length === 1 ? own : [];
  const parts = committed(only) ?? summed(said) ?? { subject: subjectFrom(firstLine(asked)), body: '' };
  const subject = parts.subject || subjectFrom(title) || 'Change files';
  const body = parts.body || (own.length > 1 ? own.map((each) => `- ${subjectFrom(firstLine(each))}`).join('\n') : '');
  const wrapped = wrapText(cut(body, bodyMax));
  return wrapped === '' || wrapped === subject ? `${subject}\n` : `${subject}\n\n${wrapped}\n`;
}

interface Parts {
  readonly subject: string;
  readonly body: string;
}

function committed(message: string): Parts | null {
  const [first = '', ...rest] = clean(message).split('\n');
  const subject = shorten(unmarked(first));
  if (subject === '' || isFiller(first)) return null;
  return { subject, body: (subject === unmarked(first) ? rest : [first, '', ...rest]).join('\n').trim() };
}

/** null: the agent's words do not say what it did. */
function summed(said: string): Parts | null {
  const text = clean(summaryField(said) ?? said);
  const lines = text.split('\n');
  const at = lines.findIndex((line) => sentencesOf(line).some((each) => !isFiller(each)));
  if (at < 0) return null;
  const sentences = sentencesOf(lines[at] ?? '');
  const chosen = sentences.findIndex((each) => !isFiller(each));
  const subject = subjectFrom(sentences[chosen] ?? '');
  const isWhole = subject === imperative(unmarked(sentences[chosen] ?? '')).replace(/[.:!]$/, '');
  const left = sentences.slice(isWhole ? chosen + 1 : chosen).join(' ');
  return { subject, body: [left, ...lines.slice(at + 1)].join('\n').trim() };
}

/** The summary of a typed output. */
function summaryField(said: string): string | null {
  if (!/^\s*\{/.test(said)) return null;
  try {
    const value: unknown = JSON.parse(said);
    const { summary, title, description } = value as Record<string, unknown>;
    return [summary, title, description].find((each) => typeof each === 'string') ?? '';
  } catch {
    return null;
  }
}

/** With visible control characters, without ids of ours and lines that git or a host would take for a signature. */
function clean(text: string): string {
  return plainText(text.replaceAll('\r\n', '\n').replaceAll('\t', '  '))
    .replace(/\p{Cs}/gu, '')
    .replace(/\b(?:run|task|attempt|agent|artifact|launch|message|ask|record)_[0-9a-z]{8,}(?:-\d+)*\b/g, '')
    .split('\n')
    .filter((line) => !/^\s*(?:[a-z]+(?:-[a-z]+)*-by|signalbox(?:-[a-z]+)*|change-id|cc):/i.test(line))
    .filter((line) => !/generated (?:with|by) .*(?:claude|codex|gemini|copilot)/i.test(line))
    .map((line) => line.trimEnd())
    .join('\n')
    .trim();
}

function sentencesOf(line: string): string[] {
  return line.trim() === '' ? [] : line.trim().split(/(?<=[.!?])\s+(?=[\p{Lu}`"'(*])/u);
}

/** Says only that something was done. */
function isFiller(sentence: string): boolean {
  const words = unmarked(sentence)
    .toLowerCase()
    .replace(/[.!:…]+$/, '');
  return words === '' || fillers.some((pattern) => pattern.test(words));
}

const fillers = [
  /^(?:all |it is |it's |that's |everything is |i am |i'm |now )*(?:done|finished|complete|completed|ready|ok|okay)$/,
  /^(?:perfect|great|excellent|good|sure|success|summary|changes?|changes made|what (?:i )?changed|overview|result|results)$/,
  /^(?:the |this |your )?(?:task|work|change|request|implementation)s? (?:is|are|has been|have been|was|were) (?:now )?(?:done|complete|completed|finished|implemented)$/,
  /^(?:i have|i've|i) (?:now |successfully )*(?:completed|finished|done) (?:the|this|your|all|it)\b.{0,20}$/,
  /^(?:here is|here's|here are|below is) (?:a |the )?(?:short |brief )?(?:summary|overview|list|what)\b.{0,40}$/,
  /^(?:all )?(?:the )?(?:tests?|checks?) (?:all )?(?:now )?pass(?:es|ed)?$/,
  /^```/,
];

/** One line without the marks of Markdown. */
function unmarked(line: string): string {
  return line
    .trim()
    .replace(/^(?:#{1,6}|[-*+•]|\d+[.)]|>)\s+/, '')
    .replace(/\*\*|__|`/g, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/\s+/g, ' ')
    .trim();
}

function subjectFrom(line: string): string {
  const [first = ''] = sentencesOf(clean(line));
  return shorten(imperative(unmarked(first)).replace(/[.:!]+$/, ''));
}

function firstLine(text: string): string {
  return (
    clean(text)
      .split('\n')
      .find((line) => line.trim() !== '') ?? ''
  );
}

/** "I've fixed …" and "Fixed …" become "Fix …", as people write subjects. */
function imperative(sentence: string): string {
  const plain = sentence.replace(/^(?:i have|i've|i|we have|we've|we)\s+(?:now |also |successfully )*/i, '');
  const [first = ''] = plain.split(' ');
  const verb = verbs.get(first.toLowerCase());
  if (verb !== undefined) return `${verb}${plain.slice(first.length)}`;
  return plain === sentence ? sentence : sentence.replace(/^./u, (letter) => letter.toUpperCase());
}

const verbs = new Map(
  (
    'Add Allow Change Check Clean Convert Correct Create Delete Document Drop Enable Ensure Expose Extend Extract Fix Handle ' +
    'Implement Improve Introduce Move Prevent Refactor Remove Rename Replace Restore Restructure Return Rework Simplify ' +
    'Support Test Update Use Validate'
  )
    .split(' ')
    .map((verb) => [pastOf(verb.toLowerCase()), verb]),
);
verbs.set('made', 'Make').set('wrote', 'Write').set('split', 'Split').set('rewrote', 'Rewrite').set('set', 'Set');

function pastOf(verb: string): string {
  if (/[^aeiou]y$/.test(verb)) return `${verb.slice(0, -1)}ied`;
  if (verb === 'drop') return 'dropped';
  return verb.endsWith('e') ? `${verb}d` : `${verb}ed`;
}

/** Cut at a clause if possible, else at a word. */
function shorten(line: string): string {
  const characters = Array.from(line);
  if (characters.length <= subjectMax) return line;
  const start = characters.slice(0, subjectMax).join('');
  const clause =
    [...start.matchAll(/[,;:]\s|\s[–—-]\s|\s(?=so that |because |which |and |by |when )/g)].at(-1)?.index ?? 0;
  if (clause >= clauseMin) return start.slice(0, clause);
  const room = characters.slice(0, subjectMax - 1).join('');
  const word = room.lastIndexOf(' ');
  return `${room.slice(0, word > clauseMin ? word : room.length).trimEnd()}…`;
}

const clauseMin = 24;

/** Cut at a line. */
function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const kept = text.slice(0, max);
  return `${kept.slice(0, Math.max(kept.lastIndexOf('\n'), kept.lastIndexOf(' '), 1)).trimEnd()}\n…`;
}
