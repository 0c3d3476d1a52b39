// Names for tasks made from prompts: the first words, plus a number if that name is taken. Pure.

export function uniqueNames(prompts: readonly string[]): string[] {
  const taken = new Set<string>();
  return prompts.map((prompt) => {
    const words = prompt.toLowerCase().match(/[a-z0-9]+/g) ?? ['task'];
    const stem = words.slice(0, 4).join('-').slice(0, 30).replace(/-+$/, '');
    let name = stem;
    for (let n = 2; taken.has(name); n++) name = `${stem}-${n}`;
    taken.add(name);
    return name;
  });
}
