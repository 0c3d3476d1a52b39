// The kinds of agents, by the names that people give them. The daemon has the last word.

export const harnessNames: readonly string[] = ['claude', 'command', 'scripted'];
