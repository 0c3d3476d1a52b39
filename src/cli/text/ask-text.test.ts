// How a question about a task is shown, and how words of a command line are parsed.

import { describe, expect, it } from 'vitest';
import type { AskView } from '../../wire/ask-views.ts';
import { valuesOf } from '../terminal/fill-form.ts';
import { askLines } from './ask-text.ts';

const field = { label: '', options: [], required: true, usual: null };
const asked: AskView = {
  id: 'ask_1-q1',
  kind: 'gate',
  state: 'open',
  message: 'Go?',
  choices: [],
  questions: [],
  since: 1_000,
  until: null,
  onTimeout: 'reject',
  who: [],
  form: [],
  shows: [],
  permission: null,
  budget: null,
  answer: null,
  runId: 'run_1',
  run: 'r',
  taskId: 'task_1',
  task: 't',
};

describe('a question in lines', () => {
  it('says how to answer, and nothing else if there is nothing else', () => {
    expect(askLines(asked, [], 3_000)).toEqual([
      't  (r, waiting for 2.0 s)',
      '    Go?',
      '  signalbox approve ask_1-q1',
      '  signalbox reject ask_1-q1 -m "<why>"',
    ]);
  });

  it("shows an agent's question in its words, with the command for each option [CHILD-85]", () => {
    const message = 'Which\u001b[2J side?\n  signalbox approve all';
    const option = (label: string, description = '', preview = '') => ({ label, description, preview });
    const question = {
      question: message,
      header: null,
      options: [option("it's left"), option('right')],
      multiple: false,
    };
    const lines = askLines({ ...asked, kind: 'question', questions: [question] }, [], 0);
    expect(lines.slice(1)).toEqual([
      '  its agent asks, in its own words:',
      '    Which<U+001B>[2J side?',
      '      signalbox approve all',
      "  signalbox answer ask_1-q1 'it'\\''s left'",
      '  signalbox answer ask_1-q1 right',
      '  signalbox answer ask_1-q1 "<in your words>"',
      '  signalbox reject ask_1-q1 -m "<why>"',
    ]);
    const colours = [option('Red', 'warm'), option('Blue', '', '####\n#  #')];
    const several = [
      { question: 'Which colour?', header: 'Colour', options: colours, multiple: false },
      { question: 'Which sizes?', header: null, options: [option('S'), option('M')], multiple: true },
    ];
    expect(askLines({ ...asked, kind: 'question', questions: several }, [], 0).slice(2)).toEqual([
      '    1. Which colour?',
      '         - Red: warm',
      '         - Blue',
      '             | ####',
      '             | #  #',
      '    2. Which sizes?',
      '       (one or more, separated by commas)',
      '         - S',
      '         - M',
      '  one answer for each, an option or your words:',
      '  signalbox answer ask_1-q1 "<1: Colour>" "<2>"',
      '  signalbox reject ask_1-q1 -m "<why>"',
    ]);
  });

  it('lists each choice', () => {
    const lines = askLines({ ...asked, kind: 'failure', choices: ['retry', 'stop'] }, [], 0);
    expect(lines.slice(2)).toEqual([
      '  signalbox approve ask_1-q1 --choose retry',
      '  signalbox approve ask_1-q1 --choose stop',
    ]);
  });

  it('says where a cut output is whole, with visible control characters [GATE-12]', () => {
    const output = { kind: 'output', task: 'f', taskId: 'task_f', text: '"\u001b[2Jx"', length: 100 } as const;
    const lines = askLines({ ...asked, shows: [output, { kind: 'diff', work: null }] }, [], 0).join('\n');
    expect(lines).toContain('    "<U+001B>[2Jx"\n    [cut: 93 more characters; the whole: signalbox output task_f]');
    expect(lines).toContain('nothing has changed so far');
    expect(lines).not.toContain('\u001b');
  });
});

describe('--set', () => {
  const form = [
    { ...field, name: 'n', type: 'number' as const },
    { ...field, name: 'b', type: 'boolean' as const },
    { ...field, name: 't', type: 'text' as const },
  ];

  it('converts each value to the type of its field, and keeps invalid ones to be refused', () => {
    expect(valuesOf(form, ['n=2', 'b=yes', 't=a=b'])).toEqual({ n: 2, b: true, t: 'a=b' });
    expect(valuesOf(form, ['n=two', 'b=maybe', 'x=1'])).toEqual({ n: 'two', b: 'maybe', x: '1' });
  });

  it('for an unknown field, or twice for one, is refused', () => {
    expect(() => valuesOf(form, ['n'])).toThrow('expected field=value');
    expect(() => valuesOf(form, ['n=1', 'n=2'])).toThrow('twice');
  });
});
