// Stores an attempt's output and the list of files it changed as artifacts, before an event says that its work is
// saved. Storing them again after a crash stores the same.

import { resultOf, type StoredArtifact } from '../../model/attempt/artifact.ts';
import type { ArtifactKind } from '../../model/attempt/artifact-kinds.ts';
import type { Attempt } from '../../model/core/attempt.ts';
import type { Json } from '../../model/core/json.ts';
import type { Run } from '../../model/core/run.ts';
import type { ArtifactPort } from '../../ports/engine-ports.ts';
import type { ChangedFile } from '../../ports/workspace-port.ts';

interface Stores {
  readonly artifacts: Pick<ArtifactPort, 'put'>;
}

interface Work {
  readonly commit: string;
  readonly files: readonly ChangedFile[];
}

/** The output comes first: other tasks get it. */
export async function storeArtifacts(
  { artifacts }: Stores,
  run: Run,
  attempt: Attempt,
  work: Work,
): Promise<readonly StoredArtifact[]> {
  const { base } = attempt.workspace;
  const wanted: { readonly kind: ArtifactKind; readonly value: Json }[] = [];
  const result = resultOf(run, attempt);
  if (result !== null) wanted.push(result);
  if (work.files.length > 0) wanted.push({ kind: 'file-set', value: fileSet(base, work) });
  return Promise.all(
    wanted.map(async ({ kind, value }) => {
      const { id: artifactId, bytes } = await artifacts.put(kind, value);
      return { artifactId, kind, bytes };
    }),
  );
}

/** The first by name; the commit has all of them. */
const filesMax = 10_000;

function fileSet(base: string, { commit, files }: Work): Json {
  const listed = files.slice(0, filesMax).map(({ path, status, blob }) => ({ path, status, blob }));
  const more = files.length > filesMax ? { total: files.length } : {};
  return { base, commit, files: listed, ...more };
}
