// Whether a prompt relies on context that its reader does not have. A child starts with its prompt and its declared inputs, and
// knows nothing of its parent's conversation.

/** What is missing, in sentences; none: the prompt is self-contained. */
export function leansOn(prompt: string, hidden: readonly string[]): string[] {
  const problems: string[] = [];
  if (prompt.trim().length < promptMin) {
    problems.push(`it has ${prompt.trim().length} characters: say what is to be done, where, and what to give back`);
  }
  for (const [pattern, what] of leaning) {
    const found = pattern.exec(prompt);
    if (found !== null) problems.push(`"${short(found[0].trim())}": ${what}`);
  }
  for (const path of hidden) {
    if (path !== '' && prompt.includes(path))
      problems.push(
        `it names ${short(path)}, which it does not see: name paths in the repository, and tasks under "inputs"`,
      );
  }
  return problems.slice(0, problemsMax);
}

/** Signalbox's own files that a prompt names. In a sandbox only the agent that was given such a file can see it. */
export function ownFilesIn(prompt: string): string[] {
  const words = prompt.split(/[\s"'`(),;]+/);
  return words.filter((word) => word.startsWith('/') && /\/(?:attempt|launch|agent)_[0-9a-z]/.test(word));
}

function short(text: string): string {
  return text.length > shownMax ? `${text.slice(0, shownMax)}…` : text;
}

const shownMax = 200;
const promptMin = 12;
const problemsMax = 5;

const unseen = 'it does not see your conversation; write out what you mean';

const leaning: readonly (readonly [RegExp, string])[] = [
  [
    /\b(?:as|like|what) (?:we|I|you) (?:have )?(?:just )?(?:discussed|talked about|agreed|said|mentioned|decided)\b[^.\n]{0,20}/i,
    unseen,
  ],
  [/\b(?:mentioned|described|shown|listed|given|discussed|quoted) (?:above|earlier|before|previously)\b/i, unseen],
  [
    /\b(?:see|as|the) (?:the )?(?:above|previous|earlier) (?:message|conversation|discussion|context|output|answer|plan|list|code)\b/i,
    unseen,
  ],
  [/\b(?:in|from) (?:our|this|the) (?:conversation|chat|thread|discussion)\b/i, unseen],
  [
    /\b(?:continue|pick up|go on) (?:from )?where (?:we|you|I) (?:left off|stopped|were)\b/i,
    'it has not begun; write out what is done and what is left',
  ],
  [/\b(?:same|do it|again) as (?:last time|before)\b/i, 'it knows no earlier time; write out what to do'],
  [
    /\b(?:the|that|those|these) (?:file|function|bug|error|test|change|class|issue)s? (?:I|you|we) (?:just )?(?:mentioned|found|opened|looked at|saw|changed|edited)\b/i,
    unseen,
  ],
  // Bounded, because many unclosed openings would each be searched to the end.
  [/\$\{\{[^}]{0,500}\}\}/, 'nothing is put in here; name tasks under "inputs", or write the value out'],
];
