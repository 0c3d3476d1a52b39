import { describe, expect, it } from 'vitest';
import { partPrompts } from './prompt-files.ts';

describe('a file of prompts', () => {
  it('is split at lines of three dashes', () => {
    expect(partPrompts('one\nmore of it\n---\ntwo\n---  \r\n\n three\n')).toEqual(['one\nmore of it', 'two', 'three']);
    expect(partPrompts('\ufeffone\r\nline\r\n---\r\ntwo\r\n')).toEqual(['one\nline', 'two']);
  });

  it('without such a line is one prompt', () => {
    expect(partPrompts('# Title\n\n- a list\n-- --- not alone\n----\n')).toEqual([
      '# Title\n\n- a list\n-- --- not alone\n----',
    ]);
    expect(partPrompts('---\n\n---\n')).toEqual([]);
  });
});
