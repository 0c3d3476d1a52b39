// Names for checks without a name, made of the words of their command, so that people and agents see which one failed.

const lengthMax = 40;
/** Of a program that is named by its whole path. */
const directory = /^['"]?\/(?:[^\s'"]*\/)?/;

/** A different name for each check. */
export function checkNames(commands: readonly string[]): string[] {
  const taken = new Set<string>();
  return commands.map((command) => {
    const words = command.replace(directory, '').match(/[A-Za-z0-9_]+/g) ?? ['check'];
    const stem = words.join('-').replace(/^_+/, '').slice(0, lengthMax).replace(/-+$/, '') || 'check';
    let name = stem;
    for (let n = 2; taken.has(name); n += 1) name = `${stem}-${n}`;
    taken.add(name);
    return name;
  });
}
