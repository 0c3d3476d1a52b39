// Questions that an agent asks its user by a tool of its own, and answers to them. An agent may ask several at once; each has
// an answer of its own: options that the agent named, or other words.

export interface Question {
  readonly question: string;
  /** A short name for it; null = it has none. */
  readonly header: string | null;
  /** The options; empty = it is answered in words. Other words are always accepted. */
  readonly options: readonly QuestionOption[];
  /** Whether several options may be chosen. */
  readonly multiple: boolean;
}

export interface QuestionOption {
  readonly label: string;
  readonly description: string;
  /** A preview of the option, as text for a person. */
  readonly preview?: string;
}

/** The chosen options, then other words; empty = this question was left unanswered. */
export type QuestionAnswer = readonly string[];

/** Finds the options in what a person typed, as `Red` or, where several may be chosen, `red, blue`. */
export function readAnswer({ options, multiple }: Question, typed: string): QuestionAnswer {
  const chosen: string[] = [];
  let rest = typed.trim();
  const labels = options.map(({ label }) => label).sort((a, b) => b.length - a.length);
  while (rest !== '') {
    const label = labels.find((each) => begins(rest, each, multiple));
    if (label === undefined) break;
    if (!chosen.includes(label)) chosen.push(label);
    rest = rest.slice(label.length).replace(/^\s*,\s*/, '');
  }
  return rest === '' ? chosen : [...chosen, rest];
}

/** Whether a whole option comes first: followed by nothing or, if several may be chosen, by a comma. */
function begins(text: string, label: string, multiple: boolean): boolean {
  if (text.slice(0, label.length).toLowerCase() !== label.toLowerCase()) return false;
  const after = text.slice(label.length).trimStart();
  return after === '' || (multiple && after.startsWith(','));
}

/** The command that answers them, with the possible answers of each. */
export function answerCommand(askId: string, questions: readonly Pick<Question, 'options'>[]): string {
  const said = questions.map(
    ({ options }) => `"<${[...options.map(({ label }) => label), 'your words'].join(' | ')}>"`,
  );
  return `signalbox answer ${askId} ${said.join(' ')}`;
}
