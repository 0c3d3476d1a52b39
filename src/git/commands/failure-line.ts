// The line that says how a command ended, safe to show: output of a program never reaches a terminal as it is.

const shownMax = 500;

export function lastLine(output: string): string {
  const lines = output.split('\n').map((line) => line.replaceAll(controls, ' ').trim());
  return (lines.findLast((line) => line !== '') ?? '').slice(0, shownMax);
}

// An escape sequence goes as a whole, any other control character alone.
// oxlint-disable-next-line no-control-regex
const controls = /\u001b(?:\[[0-?]*[ -/]*[@-~]|[@-Z\\-_])|[\u0000-\u001f\u007f-\u009f]/g;
