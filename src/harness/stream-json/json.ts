// Reading JSON that nobody vouches for: every accessor answers, whatever is there. And writing what others can read.

export type Json = Readonly<Record<string, unknown>>;

export function parseObject(line: string): Json | null {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** One line of JSON. Half of a character would come back with every request that the agent makes from then on, and each is refused. */
export function recordOf(value: Json): string {
  return `${JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'string' ? wholeCharacters(inner) : inner))}\n`;
}

function wholeCharacters(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd');
}

/** Nested so deep that writing it down again would fail, though reading it did not. */
export function isTooDeep(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; depth < depthMax; depth += 1) {
    const next: unknown[] = [];
    for (const each of level) {
      if (typeof each !== 'object' || each === null) continue;
      for (const inner of Object.values(each)) if (typeof inner === 'object') next.push(inner);
    }
    if (next.length === 0) return false;
    level = next;
  }
  return true;
}

const depthMax = 500;

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function objectIn(value: unknown): Json {
  return isObject(value) ? value : {};
}

export function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function textIn(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

export function countIn(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0;
}

/** Millionths of a dollar; null = not told. */
export function microUsdIn(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? Math.round(value * 1e6) : null;
}
