// A long answer that is nowhere like itself, and what an agent said according to its transcript.

/** Words of several scripts, with line breaks; the same for the same length. */
export function answerOf(characters: number): string {
  let seed = 42;
  const next = (below: number): number => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return (seed >>> 8) % below;
  };
  const alphabet = Array.from('abcdefghijklmnopqrstuvwxyzäöüßéñ中文字書かな—"\\{}$');
  let text = 'It begins here: ';
  while (text.length < characters) {
    const word = Array.from({ length: 1 + next(9) }, () => alphabet[next(alphabet.length)]).join('');
    text += next(20) === 0 ? `${word}\n` : `${word} `;
  }
  return `${text.slice(0, characters - 1)}.`;
}

/** The texts of the assistant's lines, in order. */
export function saidIn(transcript: string): string[] {
  return transcript.split('\n').flatMap((line): string[] => {
    const record = parse(line);
    if (record?.type !== 'assistant') return [];
    const content = record.message?.content ?? [];
    return content.flatMap(({ text }) => (typeof text === 'string' ? [text] : []));
  });
}

interface Record {
  readonly type?: string;
  readonly message?: { readonly content?: readonly { readonly text?: unknown }[] };
}

function parse(line: string): Record | null {
  try {
    return JSON.parse(line) as Record;
  } catch {
    return null;
  }
}
