// Names for tasks made from prompts: the person's own (`name: prompt`), or the words of the prompt that say most, plus a
// number if that name is taken. Pure.

export interface NamedPrompt {
  readonly name: string;
  readonly prompt: string;
}

export function namePrompts(prompts: readonly string[]): NamedPrompt[] {
  const taken = new Set<string>();
  const own = prompts.map(ownName);
  for (const each of own) if (each !== null) taken.add(each.name);
  const counted = new Map<string, number>();
  return prompts.map((prompt, i) => {
    const named = own[i] ?? null;
    if (named !== null) {
      const n = (counted.get(named.name) ?? 0) + 1;
      counted.set(named.name, n);
      return n === 1 ? named : { ...named, name: free(named.name, taken) };
    }
    return { name: free(shortened(prompt), taken), prompt };
  });
}

/** A run of several prompts is not called like one of its tasks: a name means one thing. */
export function runName(tasks: readonly NamedPrompt[]): string {
  const [first, ...others] = tasks;
  return others.length === 0 ? (first?.name ?? 'run') : `${first?.name}-and-${others.length}-more`;
}

function free(stem: string, taken: Set<string>): string {
  let name = stem;
  for (let n = 2; taken.has(name); n++) name = `${stem}-${n}`;
  taken.add(name);
  return name;
}

function ownName(prompt: string): NamedPrompt | null {
  const [, name, rest] = /^([a-z0-9][a-z0-9._-]{0,39}):\s+(\S[^]*)$/.exec(prompt.trimStart()) ?? [];
  return name === undefined || rest === undefined || kindsOfChange.has(name) ? null : { name, prompt: rest };
}

/** Written before a colon in the subject of a commit: part of the prompt. */
const kindsOfChange = new Set(
  'build chore ci docs feat feature fix hotfix perf refactor revert style test tests wip note todo http https file'.split(
    ' ',
  ),
);

const wordsMax = 4;
const lengthMax = 30;

function shortened(prompt: string): string {
  const plain = prompt
    .slice(0, 1_000)
    .normalize('NFKD')
    .replaceAll('ß', 'ss')
    .replace(/\p{M}|['’]/gu, '')
    .toLowerCase();
  const all: readonly string[] = plain.match(/[a-z0-9]+/g) ?? [];
  const telling = all.filter((word, at) => !fillers.has(word) && all.indexOf(word) === at);
  const words = (all.length <= wordsMax || telling.length === 0 ? all : telling).slice(0, wordsMax);
  while (words.length > 1 && words.join('-').length > lengthMax) words.pop();
  return words.join('-').slice(0, lengthMax) || 'task';
}

/** Left out of the name of a long prompt. */
const fillers = new Set(
  (
    'a an the this that these those there of in on at to for from with without and or but by into onto as so is are was ' +
    'be been it its please can you could would should will must i we me my our your us all any some each every such about than then also just now'
  ).split(' '),
);
