import { expect, it } from 'vitest';
import { evidenceView } from '../../wire/evidence-views.ts';
import { viewEvidence } from './evidence-view.ts';

const bare = { check: 'write set', passed: true, detail: 'it changed nothing else' };
const whole = { ...bare, tree: 'a', key: 'b', log: 'b.log', printed: 'not ok 1', ms: 12, runs: 2, known: true };
const nothingMore = { tree: null, key: null, log: null, printed: null, ms: null, runs: null, known: false };

it('evidence is shown with its proof, and unknown values are null', () => {
  expect(viewEvidence(whole)).toEqual(whole);
  expect(viewEvidence(bare)).toEqual({ ...bare, ...nothingMore });
});

it('a client reads the evidence of an older daemon', () => {
  expect(evidenceView.parse(bare)).toEqual({ ...bare, ...nothingMore });
  expect(evidenceView.parse({ ...whole, further: 1 })).toEqual(whole);
});
