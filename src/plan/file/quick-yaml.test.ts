import { describe, expect, it } from 'vitest';
import { parseDocument } from 'yaml';
import { starterPlan } from '../preview/starter-plan.ts';
import { quickValue } from './quick-yaml.ts';

const careful = (text: string): unknown => {
  const document = parseDocument(text);
  return document.errors.length > 0 ? 'an error' : document.toJS();
};

describe('the quick parser', () => {
  it.each([
    '1_000',
    '0b1',
    'yes',
    'on: x',
    '2020-01-01',
    '0o17',
    '017',
    '0x1F',
    '1e3',
    '.5',
    '+1',
    '.inf',
    '~',
    'Null',
    'TRUE',
    '"a\\u0041"',
    "'it''s'",
    '1:30',
    '<<: {a: 1}',
    '|\n  x\n  y\n',
    '>-\n  x\n  y\n\n  z\n',
    '- a\n- - b',
    '[a: 1]',
    '{"a":1}',
    '12345678901234567890',
    '"x" # c',
    '{ a, b: }',
    'é: ü',
    '1.',
    '0.1.2',
    'a: [src/**, "*.ts"]',
    'a: b${{ c }}',
    starterPlan('x', './s.json'),
  ])('reads %j as the careful one does', (text) => {
    const quick = quickValue(text);
    expect(quick).not.toBeNull();
    expect(quick?.value ?? null).toEqual(careful(text) ?? null);
  });

  it.each([
    'a: b: c',
    '{a: 1, a: 2}',
    'a: 1\na: 2',
    '[1, 2',
    '\ta: 1',
    'a\n---\nb',
    '%YAML 1.1\n---\nyes',
    'a: &x 1\nb: *x',
    '!custom x',
    '',
  ])('leaves %j to the careful one', (text) => {
    expect(quickValue(text)).toBeNull();
  });
});
