// Checks whether agents can run here: program, version, credential. Runs nothing but `--version`, without a credential and
// in a temporary home.

import { accessSync, constants, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Credentials } from '../credentials/credentials.ts';
import { claudeTested, judgeClaudeVersion } from '../harness/claude/version.ts';
import { probe } from '../process/run-probe.ts';
import { Fault } from '../std/fault.ts';
import type { AgentState } from './finding.ts';

export interface Agents {
  /** Throws the Fault that says why an agent of this harness could not work here, and what to do. */
  requireFit(harness: string): Promise<void>;
}

export interface AgentPlaces {
  readonly claudeBinary: string;
  /** Where agents find programs. */
  readonly agentPath: string;
}

/** Programs that people will look for here, and for which there is no harness yet. */
const strangers = ['codex', 'gemini', 'opencode', 'copilot', 'qwen', 'goose', 'cursor-agent', 'aider'] as const;

const versionMaxMs = 20_000;

export function createAgents(config: AgentPlaces, credentials: Credentials): Agents {
  // A version is asked for once as long as the program stays the same file.
  let last: { readonly stamp: string; readonly state: AgentState } | null = null;
  return {
    async requireFit(harness) {
      if (harness !== 'claude') return;
      const stamp = stampOf(config.claudeBinary, config.agentPath);
      const state = stamp !== null && last?.stamp === stamp ? last.state : await lookAtClaude(config);
      last = stamp === null ? null : { stamp, state };
      const flaw = flawOf(state, config.claudeBinary);
      if (flaw !== null) throw new Fault('agent_unusable', flaw);
      if (credentials.find('claude') !== null) return;
      throw new Fault(
        'agent_unusable',
        'Claude Code has no credential: run `signalbox login claude`. (A variable that was set after the daemon started does ' +
          'not reach it: run `signalbox down` and try again; agents continue meanwhile.)',
      );
    },
  };
}

/** Asks the program for its version. */
export async function lookAtClaude({ claudeBinary, agentPath }: AgentPlaces): Promise<AgentState> {
  const home = mkdtempSync(join(tmpdir(), 'signalbox-version-'));
  try {
    const env = { PATH: agentPath, HOME: home, CLAUDE_CONFIG_DIR: home };
    const told = await probe(claudeBinary, ['--version'], env, versionMaxMs);
    if (told.kind === 'absent') return { kind: 'absent' };
    if (told.kind === 'failed') return { kind: 'broken', why: told.why };
    const { kind } = judgeClaudeVersion(told.text);
    return { kind: kind === 'unknown' ? 'untested' : kind, says: told.text.split('\n')[0] ?? '', tested: claudeTested };
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** Those of the agents without a harness that are installed; by name, nothing is run. */
export function strangersOn(path: string): readonly string[] {
  return strangers.filter((name) => stampOf(name, path) !== null);
}

function flawOf(state: AgentState, binary: string): string | null {
  switch (state.kind) {
    case 'absent':
      return (
        `Claude Code ("${binary}") is not on the PATH of the daemon: install it ` +
        '(`npm install -g @anthropic-ai/claude-code`) or set SIGNALBOX_CLAUDE to its program, then run `signalbox down`'
      );
    case 'broken':
      return `Claude Code does not work: ${state.why}; run \`${binary} --version\` to see the error`;
    case 'tooOld':
      return `Claude Code ${state.says} is too old: ${state.tested[0]} is the oldest version known to work; run \`claude update\``;
    case 'tested':
    case 'untested':
      return null;
  }
}

/** Changes when the program that this name leads to does; null: there is none. */
function stampOf(binary: string, path: string): string | null {
  const files = binary.includes('/') ? [resolve(binary)] : path.split(':').map((folder) => join(folder || '.', binary));
  for (const file of files) {
    try {
      accessSync(file, constants.X_OK);
      const { ino, mtimeMs, size, dev } = statSync(file);
      return [file, dev, ino, mtimeMs, size].join(' ');
    } catch {
      // The next one.
    }
  }
  return null;
}
