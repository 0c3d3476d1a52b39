// Whether a prompt leans on what its reader does not have. An agent that is asked for starts with its prompt and its declared
// inputs, and knows nothing of the conversation in which it was asked for.

/** What is missing, in sentences; none: it can stand by itself. */
export function leaningOf(prompt: string, hidden: readonly string[]): string[] {
  const problems: string[] = [];
  if (prompt.trim().length < promptMin) {
    problems.push(`it has ${prompt.trim().length} characters: say what is to be done, where, and what to give back`);
  }
  for (const [pattern, what] of leaning) {
    const found = pattern.exec(prompt);
    if (found !== null) problems.push(`"${found[0].trim()}": ${what}`);
  }
  for (const path of hidden) {
    if (path !== '' && prompt.includes(path))
      problems.push(`it names ${path}, which is yours alone: name paths in the repository`);
  }
  return problems.slice(0, problemsMax);
}

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
  [/\$\{\{[^}]*\}\}/, 'nothing is put in here; name tasks under "inputs", or write the value out'],
];
