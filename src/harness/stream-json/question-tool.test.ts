import { expect, it } from 'vitest';
import { answeredText, questionsIn, withAnswers } from './question-tool.ts';

const colour = {
  question: 'Which colour?',
  header: 'Colour',
  multiSelect: false,
  options: [
    { label: 'Red', description: 'warm', preview: '<red>' },
    { label: 'Blue', description: 'cold' },
  ],
};
const sizes = { question: 'Which sizes?', multiSelect: true, options: [{ label: 'S' }, { label: 'M' }] };
const input = { questions: [colour, sizes], metadata: { source: 'x' } };

it('reads the questions of the tool, and of no other [ASK-8]', () => {
  expect(questionsIn('Bash', input)).toBeNull();
  expect(questionsIn('AskUserQuestion', { questions: [] })).toBeNull();
  expect(questionsIn('AskUserQuestion', { questions: [7] })).toBeNull();
  expect(questionsIn('AskUserQuestion', input)).toEqual([
    {
      question: 'Which colour?',
      header: 'Colour',
      multiple: false,
      options: [
        { label: 'Red', description: 'warm', preview: '<red>' },
        { label: 'Blue', description: 'cold' },
      ],
    },
    {
      question: 'Which sizes?',
      header: null,
      multiple: true,
      options: [
        { label: 'S', description: '' },
        { label: 'M', description: '' },
      ],
    },
  ]);
});

it('returns answers by question, several joined by commas, with the preview of what was chosen [ASK-8]', () => {
  const answered = withAnswers(input, [['Red'], ['S', 'M']]);
  expect(answered).toEqual({
    ...input,
    answers: { 'Which colour?': 'Red', 'Which sizes?': 'S, M' },
    annotations: { 'Which colour?': { preview: '<red>' } },
  });
  expect(answeredText(answered)).toContain('"Which colour?"="Red", "Which sizes?"="S, M"');
  expect(withAnswers(input, [['a dark green'], []])).toEqual({
    ...input,
    answers: { 'Which colour?': 'a dark green' },
  });
});
