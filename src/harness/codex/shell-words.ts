// The command inside a command line by which Codex runs a shell: `/bin/bash -lc "npm test"` is `npm test`. Rules are about that one.

/** What is not plainly of that form is returned as it is: then no rule allows it. */
export function commandInShell(line: string): string {
  const [, quoted] = /^\/[\w/.-]*\/(?:ba|z|da)?sh -l?c (.+)$/s.exec(line) ?? [];
  return (quoted === undefined ? null : unquoted(quoted)) ?? line;
}

/** One word of shell without its quotes; null = it is not one word, or means more than its text. */
function unquoted(word: string): string | null {
  let [text, at] = ['', 0];
  while (at < word.length) {
    const rest = word.slice(at);
    const single = /^'([^']*)'/.exec(rest);
    const double = /^"((?:[^"\\$`]|\\[\\"$`])*)"/.exec(rest);
    const bare = /^(?:[\w@%+=:,./-]|\\.)+/.exec(rest);
    const found = single ?? double ?? bare;
    if (found === null) return null;
    text += single?.[1] ?? (double?.[1] ?? found[0]).replace(/\\(.)/g, '$1');
    at += found[0].length;
  }
  return text;
}
