// By which tools an agent does what a script says: each program has names of its own for writing a file and running a command. Which
// program asks shows in the tools that it offers the model. A further agent is one entry of `words`.

import type { Deed, SpokenCall } from './script.ts';

/** `say`: a deed that this agent does with words. */
export type Spoken = Omit<SpokenCall, 'id'> | { readonly say: string };

interface ToolWords {
  /** By the names of the tools that the request offers. */
  isOf(tools: readonly string[]): boolean;
  write(path: string, text: string): Spoken;
  run(command: string): Spoken;
  /** A tool of Signalbox's. */
  ours(tool: string, input: unknown): Spoken;
  output(value: unknown): Spoken;
}

export function spoken(deed: Deed, tools: readonly string[]): Spoken {
  const by = words.find(({ isOf }) => isOf(tools)) ?? claude;
  switch (deed.kind) {
    case 'write':
      return by.write(deed.path, deed.text);
    case 'run':
      return by.run(deed.command);
    case 'output':
      return by.output(deed.value);
    case 'call': {
      const ours = /^mcp__signalbox__(.+)$/.exec(deed.tool)?.[1];
      return ours === undefined ? { name: deed.tool, input: deed.input } : by.ours(ours, deed.input);
    }
  }
}

const claude: ToolWords = {
  isOf: () => false,
  write: (path, text) => ({ name: 'Write', input: { file_path: path, content: text } }),
  run: (command) => ({ name: 'Bash', input: { command, description: 'a step of the script' } }),
  ours: (tool, input) => ({ name: `mcp__signalbox__${tool}`, input }),
  output: (value) => ({ name: 'StructuredOutput', input: value }),
};

/** As long as a step waits for a file, the command is not put into the background. */
const yield_time_ms = 30_000;

/** Codex with a model that it does not know: its tools are functions. */
const codexFunctions: ToolWords = {
  isOf: (tools) => tools.includes('exec_command'),
  write: (path, text) => codexFunctions.run(writeCommand(path, text)),
  run: (cmd) => ({ name: 'exec_command', input: { cmd, yield_time_ms } }),
  ours: (name, input) => ({ name, namespace: 'signalbox', input }),
  // It has no tool for that: the schema is held by the text of the answer.
  output: (value) => ({ say: JSON.stringify(value) }),
};

/** Codex with a model that it knows: one tool runs JavaScript, which calls the others. */
const codexScripts: ToolWords = {
  isOf: (tools) => tools.includes('functions.exec'),
  write: (path, text) => codexScripts.run(writeCommand(path, text)),
  run: (cmd) => script('exec_command', { cmd, yield_time_ms }),
  ours: (tool, input) => script(`signalbox__${tool}`, input),
  output: codexFunctions.output,
};

const words: readonly ToolWords[] = [codexFunctions, codexScripts];

function script(tool: string, input: unknown): Spoken {
  return { name: 'exec', input: `text(await tools.${tool}(${JSON.stringify(input)}))` };
}

function writeCommand(path: string, text: string): string {
  const quoted = (part: string): string => `'${part.replaceAll("'", `'\\''`)}'`;
  return `printf %s ${quoted(text)} > ${quoted(path)}`;
}
