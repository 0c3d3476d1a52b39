// View of evidence: missing fields are null.

import type { EvidenceItem } from '../../model/core/events.ts';
import type { EvidenceView } from '../../wire/evidence-views.ts';

export function viewEvidence(item: EvidenceItem): EvidenceView {
  const {
    check,
    passed,
    detail,
    tree = null,
    key = null,
    log = null,
    printed = null,
    ms = null,
    runs = null,
    known = false,
  } = item;
  return { check, passed, detail, tree, key, log, printed, ms, runs, known };
}
