// A codec's state as the text that is journalled with every step. Fields with their initial value are left out.

export interface StateText<State> {
  parse(text: string): State;
  format(state: State): string;
}

export function createStateText<State extends object>(start: State): StateText<State> {
  // Most lines change nothing, and a batch is read in one go: parsing the text again for each would be most of the work.
  let lastText = '{}';
  let lastState = start;
  const initial = new Map(Object.entries(start));
  return {
    parse(text) {
      if (text !== lastText) {
        lastState = { ...start, ...(JSON.parse(text) as Partial<State>) };
        lastText = text;
      }
      return lastState;
    },
    format(state) {
      if (state !== lastState) {
        const changed = Object.entries(state).filter(([name, value]) => !isSame(value, initial.get(name)));
        lastText = JSON.stringify(Object.fromEntries(changed));
        lastState = state;
      }
      return lastText;
    },
  };
}

function isSame(value: unknown, initial: unknown): boolean {
  return value === initial || (isEmptyObject(value) && isEmptyObject(initial));
}

function isEmptyObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}
