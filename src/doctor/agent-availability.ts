// Checks whether agents can run here: program, version, credential. Runs nothing but `--version`, without a credential and
// in a temporary home.

import { accessSync, constants, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Credentials } from '../credentials/credentials.ts';
import type { AgentKind, Program } from '../harness/agent-kind.ts';
import { agentKinds } from '../harness/registry.ts';
import { probe } from '../process/run-probe.ts';
import { Fault, isFault } from '../std/fault.ts';
import type { AgentFit } from '../wire/agent-views.ts';
import type { AgentState, InstalledAgent } from './finding.ts';

export interface Agents {
  /** Throws the Fault that says why an agent of this harness could not work here, and what to do. */
  requireFit(harness: string): Promise<void>;
  /** The agents whose programs people install, in the order of the registry: a run without a named agent takes the first usable one. */
  list(): Promise<readonly AgentFit[]>;
}

export interface AgentPlaces {
  /** The programs of the agents, by harness. */
  readonly programs: Readonly<Record<string, string>>;
  /** Where agents find programs. */
  readonly agentPath: string;
}

/** Agents that people may look for here, and for which there is no harness yet. */
const strangers = ['gemini', 'opencode', 'copilot', 'qwen', 'goose', 'cursor-agent', 'aider'] as const;

const versionMaxMs = 20_000;

export function createAgents(places: AgentPlaces, credentials: Credentials): Agents {
  // The version of a program is queried once, until its file changes.
  const seen = new Map<string, { readonly stamp: string; readonly state: AgentState }>();
  const stateOf = async (name: string, program: Program): Promise<AgentState> => {
    const stamp = stampOf(binaryOf(places, name, program), places.agentPath);
    const last = seen.get(name);
    const state = stamp !== null && last?.stamp === stamp ? last.state : await lookAt(places, name, program);
    if (stamp === null) seen.delete(name);
    else seen.set(name, { stamp, state });
    return state;
  };
  const programFlaw = async (kind: AgentKind): Promise<string | null> => {
    if (kind.program === undefined) return null;
    return flawOf(kind, kind.program, await stateOf(kind.name, kind.program), places);
  };
  const flawOfKind = async (kind: AgentKind): Promise<string | null> => {
    return (await programFlaw(kind)) ?? credentialFlaw(kind, credentials);
  };
  /** Including the second step if two are needed. */
  const wholeFlaw = async (kind: AgentKind): Promise<string | null> => {
    const [program, credential] = [await programFlaw(kind), credentialFlaw(kind, credentials)];
    return program === null || credential === null
      ? (program ?? credential)
      : `${program}, and log in with \`signalbox login ${kind.name}\``;
  };
  return {
    async requireFit(harness) {
      const kind = agentKinds.find(({ name }) => name === harness);
      const flaw = kind === undefined ? null : await flawOfKind(kind);
      if (flaw !== null) throw new Fault('agent_unusable', flaw);
    },
    list: () =>
      Promise.all(
        agentKinds
          .filter(({ program }) => program !== undefined)
          .map(async (kind) => ({ harness: kind.name, title: kind.title, flaw: await wholeFlaw(kind) })),
      ),
  };
}

function credentialFlaw({ name, title, credential }: AgentKind, credentials: Credentials): string | null {
  try {
    if (credential === undefined || credentials.find(name) !== null) return null;
  } catch (error) {
    if (isFault(error, 'agent_unusable')) return error.message;
    throw error;
  }
  return (
    `${title} has no credential: run \`signalbox login ${name}\`. (A variable that was set after the daemon started does ` +
    'not reach it: run `signalbox down` and try again; agents continue meanwhile.)'
  );
}

/** The agents whose programs people install, each with a function that examines it. */
export function installedAgents(places: AgentPlaces): readonly InstalledAgent[] {
  return agentKinds.flatMap(({ name, title, program }) => {
    if (program === undefined) return [];
    const { install, variable, update } = program;
    const binary = binaryOf(places, name, program);
    return [{ harness: name, title, binary, install, variable, update, look: () => lookAt(places, name, program) }];
  });
}

function binaryOf({ programs }: AgentPlaces, name: string, program: Program): string {
  return programs[name] ?? program.binary;
}

/** Asks the program for its version. */
async function lookAt(places: AgentPlaces, name: string, program: Program): Promise<AgentState> {
  const home = mkdtempSync(join(tmpdir(), 'signalbox-version-'));
  try {
    const env = { PATH: places.agentPath, HOME: home, ...program.environment(home) };
    const told = await probe(binaryOf(places, name, program), ['--version'], env, versionMaxMs);
    if (told.kind === 'absent') return { kind: 'absent' };
    if (told.kind === 'failed') return { kind: 'broken', why: told.why };
    return { kind: program.judgeVersion(told.text), says: told.text.split('\n')[0] ?? '', tested: program.tested };
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** Agents without a harness that are installed; found by name, nothing is run. */
export function strangersOn(path: string): readonly string[] {
  return strangers.filter((name) => stampOf(name, path) !== null);
}

function flawOf({ title, name }: AgentKind, program: Program, state: AgentState, places: AgentPlaces): string | null {
  const binary = binaryOf(places, name, program);
  switch (state.kind) {
    case 'absent':
      return (
        `${title} ("${binary}") is not on the PATH of the daemon: install it ` +
        `(\`${program.install}\`) or set ${program.variable} to its program, then run \`signalbox down\``
      );
    case 'broken':
      return `${title} does not work: ${state.why}; run \`${binary} --version\` to see the error`;
    case 'tooOld':
      return `${title} ${state.says} is too old: ${state.tested[0]} is the oldest version known to work; run \`${program.update}\``;
    case 'tested':
    case 'untested':
      return null;
  }
}

/** Changes when the program behind this name changes; null: there is none. */
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
