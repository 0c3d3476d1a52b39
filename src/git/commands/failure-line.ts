// The line that says how a command ended, fit to be shown: what a program prints is never trusted with a terminal.

const shownMax = 500;

export function lastLine(output: string): string {
  const lines = output.split('\n').map((line) => line.replaceAll(controls, ' ').trim());
  return (lines.findLast((line) => line !== '') ?? '').slice(0, shownMax);
}

// An escape sequence goes as a whole, any other control character alone.
// oxlint-disable-next-line no-control-regex
const controls = /\u001b(?:\[[0-?]*[ -/]*[@-~]|[@-Z\\-_])|[\u0000-\u001f\u007f-\u009f]/g;
