// The evidence about an integrated commit: of its own tree, or of the tree of the last one that was integrated with it.

import { describe, expect, it } from 'vitest';
import { emptyReport } from './audit-report.ts';
import { auditEvidence, auditTrailers } from './landed-commit.ts';
import type { IntegrationRecord } from './run-record.ts';

const commitOf = (id: string, tree: string, trailers: { key: string; value: string }[] = []) => {
  return { id, tree, trailers, bytes: Buffer.alloc(0) };
};
const integrationOf = (n: number, tree: string, on: string, passed = true): IntegrationRecord => ({
  attemptId: `attempt_a-${n}`,
  trailers: [{ key: 'Signalbox-Task', value: 'task_a a' }],
  integrated: { commit: `c${n}`, tree, items: [{ check: 'tests', passed, detail: '', tree: on }] },
});

function evidence(commitTree: string, first: IntegrationRecord, ...others: IntegrationRecord[]) {
  const report = emptyReport();
  const integrations = new Map([first, ...others].map((integration) => [integration.attemptId, integration]));
  auditEvidence(commitOf('c1', commitTree), first, { integrations }, report);
  return { defects: report.defects.map(({ detail }) => detail), verified: report.verified.length };
}

describe('evidence', () => {
  it('holds for the tested tree and for trees integrated together with it [PROV-7]', () => {
    expect(evidence('t1', integrationOf(1, 't1', 't1'))).toEqual({ defects: [], verified: 1 });
    expect(evidence('t1', integrationOf(1, 't1', 't2'), integrationOf(2, 't2', 't2'))).toEqual({
      defects: [],
      verified: 1,
    });
  });

  it('for a tree that was not integrated, or did not pass, is a defect [PROV-8]', () => {
    expect(evidence('t1', integrationOf(1, 't1', 't9'))).toEqual({
      defects: ['check "tests" passed on tree t9'],
      verified: 0,
    });
    expect(evidence('t1', integrationOf(1, 't1', 't1', false)).defects).toEqual(['check "tests" did not pass']);
    expect(evidence('t8', integrationOf(1, 't1', 't1')).defects).toEqual(['has tree t8, the journal has t1']);
  });
});

describe('trailers', () => {
  const audited = (...trailers: { key: string; value: string }[]) => {
    const report = emptyReport();
    auditTrailers(commitOf('c1', 't1', trailers), integrationOf(1, 't1', 't1'), report);
    return report.defects.map(({ detail }) => detail);
  };

  it('that are missing, wrong or too many are reported, and foreign ones are ignored [PROV-8]', () => {
    const task = { key: 'Signalbox-Task', value: 'task_a a' };
    expect(audited(task, { key: 'Signed-off-by', value: 'ann' })).toEqual([]);
    expect(audited()).toEqual(['lacks the trailer "Signalbox-Task: task_a a" of the journal']);
    expect(audited({ ...task, value: 'task_b b' })).toEqual([
      'has trailer "Signalbox-Task: task_b b", the journal has "Signalbox-Task: task_a a"',
    ]);
    expect(audited(task, { key: 'Signalbox-Approved-By', value: 'eve' })).toEqual([
      'has trailer "Signalbox-Approved-By: eve", the journal has no such trailer',
    ]);
  });
});
