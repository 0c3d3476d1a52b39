// Lists the artifacts of a run, and finds one by id, prefix of an id, or task. Read-only.

import type { Engine } from '../../engine/engine.ts';
import type { RunEvent } from '../../model/core/events.ts';
import type { ArtifactId, RunId, TaskId } from '../../model/core/ids.ts';
import type { Run, Task } from '../../model/core/run.ts';
import { readEvent } from '../../model/format.ts';
import { resultArtifact } from '../../model/inputs/task-inputs.ts';
import type { Journal } from '../../ports/journal.ts';
import { Fault, isFault } from '../../std/fault.ts';
import { nearest } from '../../std/nearest.ts';
import type { Artifacts } from '../../store/artifacts/artifacts.ts';
import type { ArtifactContent, ArtifactExport, ArtifactList } from '../../wire/artifact-views.ts';
import { type EnvelopeSource, envelopeOf, type Maker } from './artifact-envelope.ts';
import type { Runs } from './find-runs.ts';

export interface ArtifactSource {
  readonly engine: Pick<Engine, 'lookRun'>;
  readonly journal: Pick<Journal, 'read'>;
  readonly artifacts: Pick<Artifacts, 'bytes' | 'path' | 'find'>;
}

const pageSize = 1_000;

type Of<Type extends RunEvent['type']> = Extract<RunEvent, { type: Type }>;

/** All events of these types in a run, in order. */
export async function eventsOf<Type extends RunEvent['type']>(
  journal: ArtifactSource['journal'],
  runId: RunId,
  ...types: readonly Type[]
): Promise<Of<Type>[]> {
  const wanted = new Set<string>(types);
  const found: Of<Type>[] = [];
  for (let after = 0; ; ) {
    const page = await journal.read(runId, after, pageSize);
    for (const { type, data, at } of page) {
      if (wanted.has(type.replace(/@\d+$/, ''))) found.push(readEvent<Of<Type>>({ type, data }, at));
    }
    const last = page.at(-1);
    // A short page is not the end: pages are bounded in bytes as well.
    if (last === undefined) return found;
    after = last.seq;
  }
}

/** `task`: a name or an id. */
export async function listArtifacts(
  { engine, journal }: ArtifactSource,
  runId: RunId,
  which: { readonly task: string | null; readonly kind: string | null },
): Promise<ArtifactList> {
  const names = await engine.lookRun(runId, (run) => {
    if (run === null) throw new Fault('not_found', `there is no run ${runId}`);
    return namesOf(run, which.task);
  });
  const events = await eventsOf(journal, runId, 'artifact.stored');
  const fitting = events.filter(({ taskId, kind }) => names.has(taskId) && (which.kind ?? kind) === kind);
  const artifacts = fitting.map(({ type: _, seal: __, artifactId: id, inputs, ...rest }) => {
    return { id, ...rest, inputs: [...inputs], task: names.get(rest.taskId) ?? '' };
  });
  return { runId, artifacts };
}

/** Of all tasks, or of one task and the tasks of its matrix. */
function namesOf(run: Run, task: string | null): Map<TaskId, string> {
  const all = [...run.tasks.values()];
  const wanted = task === null ? all : all.filter(({ spec }) => spec.id === task || spec.name === task);
  if (task !== null && wanted.length === 0) {
    const near = nearest(
      task,
      all.map(({ spec }) => spec.name),
    );
    const hint = near.length === 0 ? '' : `; did you mean ${near.join(', ')}?`;
    throw new Fault('not_found', `the run has no task "${task}"${hint}`);
  }
  const tasks = wanted.flatMap((each) => [each.spec.id, ...each.graph.members]);
  return new Map(tasks.map((id) => [id, run.tasks.get(id)?.spec.name ?? id]));
}

export async function readArtifact(
  source: ArtifactSource,
  runs: Pick<Runs, 'find'>,
  word: string,
  kind: string | null,
): Promise<ArtifactContent> {
  const { id } = await findArtifact(source, runs, word, kind);
  return contentOf(source, id);
}

/** With its seal. */
export async function exportArtifact(
  source: ArtifactSource & EnvelopeSource,
  runs: Pick<Runs, 'find'>,
  word: string,
  kind: string | null,
): Promise<ArtifactExport> {
  const { id, maker } = await findArtifact(source, runs, word, kind);
  return { ...(await contentOf(source, id)), envelope: await envelopeOf(source, id, maker) };
}

async function contentOf({ artifacts }: ArtifactSource, id: ArtifactId): Promise<ArtifactContent> {
  return { id, path: artifacts.path(id), text: (await artifacts.bytes(id)).toString() };
}

interface FoundArtifact {
  readonly id: ArtifactId;
  /** null: it was named by id, not by task. */
  readonly maker: Maker | null;
}

/** A word that is a prefix of an artifact id means the artifact, even if a task has that name. */
async function findArtifact(
  source: ArtifactSource,
  runs: Pick<Runs, 'find'>,
  word: string,
  kind: string | null,
): Promise<FoundArtifact> {
  const [, hex] = /^(?:artifact_)?([0-9a-f]{6,64})$/.exec(word) ?? [];
  const ids = hex === undefined ? [] : await source.artifacts.find(hex);
  const [only, another] = ids;
  if (only !== undefined && another === undefined) return { id: only, maker: null };
  if (only !== undefined) {
    throw new Fault('bad_request', `"${word}" is ambiguous (${ids.slice(0, 5).join(', ')}): give more characters`);
  }
  const { runId, taskId } = await runs.find(taskWord(word)).catch((error: unknown) => {
    if (!isFault(error, 'not_found')) throw error;
    const hint = 'list them with "signalbox artifacts"';
    throw new Fault('not_found', `there is no artifact or task "${word}"; ${hint}`);
  });
  return source.engine.lookRun(runId as RunId, (run) => {
    const task = taskIn(run, taskId, word);
    return { id: storedOf(task, kind), maker: { runId: runId as RunId, taskId: task.spec.id } };
  });
}

/** Agents name an input by the attempt that made it. */
function taskWord(word: string): string {
  const [, attempt] = /^artifact_([0-9a-z]+)-\d+$/.exec(word) ?? [];
  return attempt === undefined ? word : `task_${attempt}`;
}

/** A run with a single task means that task. */
function taskIn(run: Run | null, taskId: string | null, word: string): Task {
  const tasks = [...(run?.tasks.values() ?? [])];
  const found = taskId === null && tasks.length === 1 ? tasks[0] : tasks.find(({ spec }) => spec.id === taskId);
  if (found !== undefined) return found;
  throw new Fault('bad_request', `"${word}" is a run: name an artifact or task; list them with "signalbox artifacts"`);
}

function storedOf(task: Task, kind: string | null): ArtifactId {
  const stored = task.attempt?.result.artifacts ?? [];
  const result = kind === null ? resultArtifact(task) : null;
  const id = result ?? stored.find((each) => kind === null || each.kind === kind)?.artifactId;
  if (id !== undefined) return id;
  const what = kind === null ? 'artifact' : kind;
  const members = task.graph.members.length === 0 ? '' : '; it is a matrix: name one of its tasks';
  throw new Fault('not_found', `task "${task.spec.name}" has no stored ${what}${members}`);
}
