// `signalbox verify`: the journal alone, or a run or commit with everything that belongs to it. Reads the files, with
// or without a daemon.

import { audit } from '../audit/audit.ts';
import type { Report } from '../audit/audit-report.ts';
import { openSigning } from '../git/signing/signing-key.ts';
import type { Journal } from '../ports/journal.ts';
import { launchDir } from '../process/launch/launch-dir.ts';
import { transcriptHash } from '../process/launch/transcript-file.ts';
import { isFault } from '../std/fault.ts';
import { openArtifacts } from '../store/artifacts/artifacts.ts';
import { openSqliteJournal } from '../store/sqlite/sqlite-journal.ts';
import type { Config } from './config.ts';
import { journalPath } from './daemon.ts';
import { artifactRoot, launchRoot, signingRoot, workRoot } from './real-ports.ts';

/** `about`: a run or commit, and the directory in which it was named; null = the whole journal. */
export async function verify(
  config: Config,
  about: { readonly word: string; readonly cwd: string } | null,
): Promise<Report> {
  let journal: Journal | null = null;
  try {
    journal = await openSqliteJournal({ path: journalPath(config.home), readOnly: true });
    if (about === null) return { verified: [], unchecked: [], defects: (await journal.verify()).map(journalDefect) };
    const source = {
      journal,
      signing: openSigning(signingRoot(config)),
      workRoot: workRoot(config),
      cwd: about.cwd,
      artifact: openArtifacts(artifactRoot(config)).bytes,
      transcriptHash: (launchIds: readonly string[]) =>
        transcriptHash(launchIds.map((launchId) => launchDir(launchRoot(config), launchId))),
    };
    return await audit(source, about.word, new AbortController().signal);
  } catch (error) {
    // A file that is too damaged to be opened is a defect, not an error.
    if (!isFault(error, 'journal_corrupt')) throw error;
    return { verified: [], unchecked: [], defects: [journalDefect({ stream: '', seq: 0, detail: error.message })] };
  } finally {
    await journal?.close();
  }
}

function journalDefect({ stream, seq, detail }: { stream: string; seq: number; detail: string }) {
  const what = stream === '' ? 'the journal' : `${stream} event ${seq}`;
  const means =
    'The journal is damaged. Nothing was changed: keep the file, and restore it from a backup before you go on.';
  return { what, detail, means, stream, seq };
}
