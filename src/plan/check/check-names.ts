// Names for checks without a name, made of the words of their command, so that people and agents see which one failed.

const lengthMax = 40;

/** A different name for each check. */
export function checkNames(commands: readonly string[]): string[] {
  const taken = new Set<string>();
  return commands.map((command) => {
    const words = command.match(/[A-Za-z0-9_]+/g) ?? ['check'];
    const stem = words.join('-').replace(/^_+/, '').slice(0, lengthMax).replace(/-+$/, '') || 'check';
    let name = stem;
    for (let n = 2; taken.has(name); n += 1) name = `${stem}-${n}`;
    taken.add(name);
    return name;
  });
}
