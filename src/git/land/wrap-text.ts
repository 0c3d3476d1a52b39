// Wraps the body of a commit message at 72 characters, as git's own messages are. Pure.

const widthMax = 72;

/** Wraps paragraphs and list items; code stays as it is, indented. */
export function wrapText(text: string): string {
  const out: string[] = [];
  let inCode = false;
  for (const line of text.split('\n')) {
    if (/^\s*```/.test(line)) inCode = !inCode;
    else if (inCode) out.push(`    ${line}`.trimEnd());
    else out.push(...wrapLine(line));
  }
  return out
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

function wrapLine(line: string): string[] {
  const [, lead = '', rest = ''] = /^(\s*(?:[-*+•]|\d+[.)])\s+|\s*)(.*)$/.exec(line) ?? [];
  const words = rest
    .replace(/^#{1,6}\s+/, '')
    .replace(/\*\*|__/g, '')
    .split(/\s+/)
    .filter((word) => word !== '');
  const indent = ' '.repeat(lead.length);
  const lines: string[] = [];
  let now = lead;
  for (const word of words) {
    const isFirst = now === lead || now === indent;
    if (!isFirst && Array.from(`${now} ${word}`).length > widthMax) {
      lines.push(now);
      now = `${indent}${word}`;
    } else now = isFirst ? `${now}${word}` : `${now} ${word}`;
  }
  return [...lines, now.trimEnd()];
}
