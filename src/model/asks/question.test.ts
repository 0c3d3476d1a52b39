import { describe, expect, it } from 'vitest';
import { answerCommand, type Question, readAnswer } from './question.ts';

const asked = (multiple: boolean, ...labels: string[]): Question => ({
  question: 'Which?',
  header: null,
  options: labels.map((label) => ({ label, description: '' })),
  multiple,
});

describe('what a person typed as an answer', () => {
  it('is an option however it is capitalised, or other words [ASK-8]', () => {
    const colour = asked(false, 'Red', 'Blue');
    expect(readAnswer(colour, ' red ')).toEqual(['Red']);
    expect(readAnswer(colour, 'Reddish')).toEqual(['Reddish']);
    expect(readAnswer(colour, 'Red, Blue')).toEqual(['Red, Blue']);
    expect(readAnswer(colour, '')).toEqual([]);
  });

  it('may be several options where several may be chosen, and words after them [ASK-8]', () => {
    const sizes = asked(true, 'S', 'S, wide', 'M');
    expect(readAnswer(sizes, 'm, s')).toEqual(['M', 'S']);
    expect(readAnswer(sizes, 'S, wide, M, M')).toEqual(['S, wide', 'M']);
    expect(readAnswer(sizes, 'S and a bit')).toEqual(['S and a bit']);
    expect(readAnswer(sizes, 'S, M and a bit, maybe')).toEqual(['S', 'M and a bit, maybe']);
  });
});

it('the command that answers names the options', () => {
  expect(answerCommand('ask_1', [asked(false, 'Red'), asked(false)])).toBe(
    'signalbox answer ask_1 "<Red | your words>" "<your words>"',
  );
});
