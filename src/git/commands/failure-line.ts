// What a person looks for in the output of a command that failed: the line that says what failed, and the end of the
// output without banners. Everything here is safe to show: output of a program never reaches a terminal as it is.

const shownMax = 500;
/** Only so much of a line is matched, and only so much of an output is searched. */
const lineMax = 2_000;
const searchedMax = 256 * 1024;

/** The last line that is not blank. */
export function lastLine(output: string): string {
  const lines = output.split('\n').map((line) => line.replaceAll(controls, ' ').trim());
  return (lines.findLast((line) => line !== '') ?? '').slice(0, shownMax);
}

/** The line that names the failure, with its reason if that follows below; else the last line that is no banner. */
export function failureLine(output: string): string {
  const lines = plainLines(output);
  return (foundIn(lines)?.words ?? withoutBanners(lines).at(-1)?.trim() ?? '').slice(0, shownMax);
}

/** The last lines that are neither blank nor banners; where all are banners, those. */
export function lastLines(output: string, count: number): string[] {
  const lines = plainLines(output).filter((line) => line !== '');
  const told = withoutBanners(lines);
  return (told.length === 0 ? lines : told).slice(-count).map((line) => line.trim().slice(0, shownMax));
}

/** The end of the output without banners and passed tests; if the failure comes before that, first what follows it. */
export function failureText(output: string, max: number): string {
  const all = plainLines(output);
  const at = foundIn(all)?.at ?? all.length;
  const told = withoutBanners(all);
  const end = lastOf(told, max);
  const below = withoutBanners(all.slice(at));
  if (end.length === told.length || below.length <= end.length) return end.join('\n');
  const first = firstOf(below, Math.floor(max * failureShare));
  return [...first, cut, ...lastOf(below.slice(first.length), max - textLength(first) - cut.length - 1)].join('\n');
}

const failureShare = 0.4;
const cut = '[…]';

/** All of the output, without terminal control sequences. */
export function plainOutput(output: string): string {
  return output.replaceAll('\r\n', '\n').replaceAll(controls, (found) => (found === '\n' ? found : spaceFor(found)));
}

/** A failure is recognised by a line, or by a line and its reason some lines below. */
interface Rule {
  readonly line: RegExp;
  readonly reason?: RegExp;
  /** If the reason is not below, it is above, after a line such as this. */
  readonly begins?: RegExp;
}

/**
 * The first rule that matches any line counts, and of its lines the first. Test runners come first: tests that pass may print
 * errors too.
 */
const rules: readonly Rule[] = [
  // pytest
  { line: /^FAILED \S.* - \S/ },
  // TAP, of node:test and others; a parent only says that a subtest failed.
  { line: /^\s*not ok \d+\b/, reason: /^\s*error: (?!'?(?:test failed|\d+ subtests? failed))'?(.*?)'?$/ },
  // vitest
  { line: /^\s*FAIL {1,2}\S+.* > /, reason: /^\s*(\w*(?:Error|Exception|Failure)\b.*: .*)$/ },
  // jest
  { line: /^\s*● (?!Console)\S/, reason: /^\s+(expect\(.*|\w*Error\b.*: .*|.*\bfailed\b.*)$/ },
  // node:test as a tree, mocha
  { line: /^\s*(?:✖|\d+\)) (?!failing tests:)\S/, reason: /^\s*(\w*(?:Error|Exception)\b.*: .*)$/ },
  // Rust
  { line: /^thread '.*' (?:\(\d+\) )?panicked at /, reason: /^(\S.*)$/ },
  // Go
  { line: /^\s*--- FAIL: /, reason: /^\s+(\S+\.go:\d+: .*)$/, begins: /^=== (?:RUN|CONT)\s/ },
  { line: /^panic: / },
  // Compilers: Rust, TypeScript, C, Go
  { line: /^error\[E\d+\]: /, reason: /^\s*--> (\S+)$/ },
  { line: /^\S.*\(\d+,\d+\): error TS\d+: / },
  { line: /^\S+:\d+(?::\d+)? - error TS\d+: / },
  { line: /^\S+:\d+(?::\d+)?: (?:fatal )?error: / },
  { line: /^\S+\.go:\d+:\d+: \S/ },
  // eslint: the file stands above, so that its first error is the reason.
  { line: /^\/?\S+\.[cm]?[jt]sx?$/, reason: /^\s+(\d+:\d+\s+error\s+.*)$/ },
  // An exception, also where TAP or pytest quotes it.
  { line: /^(?:# |E {2,})?(?:Uncaught )?[\w.]*(?:Error|Exception)(?: \[\w+\])?: \S/ },
  { line: /^(?:FAILED|ERROR|FAIL)[:\s]+\S/ },
  { line: /^(?:error|fatal)(?: \w+)?: (?!(?:test failed|could not compile|script ))\S/i },
  { line: /^npm (?:error|ERR!) (?!code |path |errno |syscall |A complete log|Lifecycle|command|location|workspace)\S/ },
  { line: /^make(?:\[\d+\])?: \*\*\* / },
];

/** How far from its line a reason is looked for. */
const reasonLines = 14;

function foundIn(lines: readonly string[]): { readonly words: string; readonly at: number } | null {
  let weak: { words: string; at: number } | null = null;
  for (const { line: head, reason, begins = null } of rules) {
    for (let at = 0; at < lines.length; at += 1) {
      const line = lines[at] ?? '';
      if (!head.test(line)) continue;
      const words = line.replace(/^(?:# |E {2,})/, '').trim();
      if (reason === undefined) return { words, at };
      const below = lines.slice(at + 1, at + 1 + reasonLines);
      const above = begins === null ? [] : lines.slice(Math.max(0, at - reasonLines), at).reverse();
      const why = reasonIn(below, head, reason) ?? reasonIn(above, begins ?? head, reason);
      if (why !== null) return { words: `${words.replace(/:$/, '')}: ${why}`, at };
      // A path alone says nothing.
      if (!/^\S+$/.test(words)) weak ??= { words, at };
    }
  }
  return weak;
}

/** In lines up to the next of another failure. */
function reasonIn(lines: readonly string[], until: RegExp, reason: RegExp): string | null {
  for (const line of lines) {
    if (until.test(line)) return null;
    const found = reason.exec(line)?.[1]?.trim();
    if (found !== undefined && found !== '') return found.replaceAll(/\s{2,}/g, ' ');
  }
  return null;
}

/** What runners and package managers print whatever happens, and tests that passed. */
const banners: readonly RegExp[] = [
  /^\s*$/,
  /^npm (?:notice|warn|WARN)\b/,
  /^npm (?:error|ERR!)(?:$| (?:A complete log of this run|Lifecycle script|code \d|path |location |workspace |command (?:failed|sh)))/,
  // The head of `npm run`, and of yarn and pnpm.
  /^> \S+@\S+ \S+/,
  /^> \w/,
  /^(?:yarn run v|\$ \S|info Visit https|error Command failed with exit code| ELIFECYCLE )/,
  // TAP
  /^TAP version \d+$/,
  /^\s*1\.\.\d+$/,
  /^(?:#|ℹ) (?:tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\d.]+$/,
  /^\s*(?:# Subtest: .*|ok \d+\b.*|---|\.\.\.)$/,
  /^\s+(?:duration_ms: [\d.]+|type: '(?:test|suite)'|failureType: '.*'|signal: ~|exitCode: \d+)$/,
  /^(?:# )?Node\.js v\d+/,
  // Passed tests
  /^\s*(?:✔|✓) /,
  /^test \S+ \.\.\. ok$/,
  /^\s*(?:--- PASS: |=== (?:RUN|PAUSE|CONT)\s)/,
  // Trailers
  /^\s+(?:Start at|Duration) {2}\S/,
  /^exit status \d+$/,
  /^note: (?:run with `RUST_BACKTRACE|Some details are omitted)/,
];

function withoutBanners(lines: readonly string[]): string[] {
  return lines.filter((line) => !banners.some((banner) => banner.test(line)));
}

function plainLines(output: string): string[] {
  const end = output.slice(-searchedMax).replaceAll('\r\n', '\n');
  return end.split(/[\n\r]/).map((line) =>
    line
      .slice(0, lineMax)
      .replaceAll(controls, (found) => spaceFor(found))
      .trimEnd(),
  );
}

/** A tab indents, and an escape sequence takes no room. */
function spaceFor(control: string): string {
  return control === '\t' ? '  ' : '';
}

function lastOf(lines: readonly string[], max: number): string[] {
  let from = lines.length;
  let left = max;
  while (from > 0 && (lines[from - 1]?.length ?? 0) + 1 <= left) {
    from -= 1;
    left -= (lines[from]?.length ?? 0) + 1;
  }
  const whole = lines.slice(from);
  return whole.length > 0 || lines.length === 0 ? whole : [(lines.at(-1) ?? '').slice(-Math.max(1, max))];
}

function firstOf(lines: readonly string[], max: number): string[] {
  const shown: string[] = [];
  for (const line of lines) {
    if (textLength(shown) + line.length > max) break;
    shown.push(line);
  }
  return shown;
}

function textLength(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0);
}

// An escape sequence goes as a whole, any other control character alone.
// oxlint-disable-next-line no-control-regex
const controls = /\u001b(?:\[[0-?]*[ -/]*[@-~]|[@-Z\\-_])|[\u0000-\u001f\u007f-\u009f]/g;
