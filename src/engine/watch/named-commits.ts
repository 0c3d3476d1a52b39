// Checks the commits that an artifact names: each must exist, otherwise an agent or person would act on nothing. Problems are
// reported like those of a schema.

import type { ArtifactKind } from '../../model/attempt/artifact-kinds.ts';
import type { Attempt } from '../../model/core/attempt.ts';
import type { AttemptId } from '../../model/core/ids.ts';
import type { TaskSpec } from '../../model/core/spec.ts';
import type { AgentFact } from '../../model/session/agent-fact.ts';
import type { Ports } from '../../ports/engine-ports.ts';

interface Named {
  /** The path, in the validator's notation. */
  readonly at: string;
  readonly id: string;
}

/** What is wrong with the commits that a value of this kind names; the value is already valid for its schema. */
export async function commitProblems(
  { workspaces }: { readonly workspaces: Pick<Ports['workspaces'], 'unknownCommits'> },
  attemptId: AttemptId,
  { kind, value, harness }: { readonly kind: ArtifactKind; readonly value: unknown; readonly harness: string },
  signal: AbortSignal,
): Promise<string[]> {
  // The scripted agent runs a plan without any work: its examples name git's null id.
  const named = commitsIn(kind, value).filter(({ id }) => harness !== 'scripted' || /[^0]/.test(id));
  if (named.length === 0) return [];
  const ids = named.map(({ id }) => id);
  const unknown = new Set(await workspaces.unknownCommits(attemptId, ids, signal));
  return named
    .filter(({ id }) => unknown.has(id))
    .map(({ at, id }) => `${at} must name a commit of the repository: there is no commit ${JSON.stringify(id)}`);
}

export function commitsIn(kind: ArtifactKind, value: unknown): Named[] {
  switch (kind) {
    case 'verdict':
      return [{ at: '/commit', id: (value as { commit: string }).commit }];
    case 'file-set': {
      const { base, commit } = value as { base: string; commit: string };
      return [
        { at: '/base', id: base },
        { at: '/commit', id: commit },
      ];
    }
    case 'conflict': {
      const { head, sides } = value as { head: string; sides: readonly { commit: string }[] };
      const all = [{ at: '/head', id: head }, ...sides.map(({ commit: id }, n) => ({ at: `/sides/${n}/commit`, id }))];
      // If nothing was saved, there is none to name.
      return all.filter(({ id }) => id !== '');
    }
    default:
      return [];
  }
}

type OutputFact = Extract<AgentFact, { kind: 'output' }>;

/** The output of a task, without its value if that names a commit that does not exist. */
export async function withKnownCommits(
  ports: Parameters<typeof commitProblems>[0],
  { id }: Pick<Attempt, 'id'>,
  { outputKind, harness }: Pick<TaskSpec, 'outputKind' | 'harness'>,
  output: OutputFact | null,
  signal: AbortSignal,
): Promise<OutputFact | null> {
  if (output === null || output.problems.length > 0 || outputKind === undefined) return output;
  const problems = await commitProblems(ports, id, { kind: outputKind, value: output.value, harness }, signal);
  return problems.length === 0 ? output : { ...output, value: null, problems };
}
