// Colours for the terminal. Text from agents must be plain (plain-text.ts) before it is painted.

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';
export type Paint = (style: Style | null, text: string) => string;

const codes: Readonly<Record<Style, readonly [on: number, off: number]>> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
};

export function createPaint(colour: boolean): Paint {
  return (style, text) => {
    if (!colour || style === null || text === '') return text;
    const [on, off] = codes[style];
    return `\x1b[${on}m${text}\x1b[${off}m`;
  };
}
