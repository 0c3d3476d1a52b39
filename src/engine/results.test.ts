import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { atWork, named, spawn } from '../../test/model/crew-story.ts';
import { type Story, submitted, task } from '../../test/model/story.ts';
import { launchDir } from '../process/launch-dir.ts';
import { readResult as readKept, readOut } from '../process/result-file.ts';
import { type ResultInput, readResult } from './results.ts';

let root: string;
let story: Story;

/** `b` is at work for `a`. */
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'results-'));
  story = submitted(task('a'));
  atWork(story, 'a');
  spawn(story, 'a', 'b');
  atWork(story, 'b');
});
afterEach(() => rmSync(root, { recursive: true }));

const launches = {
  readOut: (id: string, from: number, max: number) => readOut(launchDir(root, id), from, max),
  readResult: (id: string, from: number, max: number) => readKept(launchDir(root, id), from, max),
};

async function read(input: Omit<ResultInput, 'task'>): Promise<string> {
  const { text } = await readResult({ launches }, story.run, named(story, 'a'), { task: 'b', ...input });
  return text;
}

/** What a process of `b` printed. */
function printed(launchId: string, out: string): void {
  mkdirSync(join(root, launchId));
  writeFileSync(join(root, launchId, 'out'), out);
}

it('an agent that asks for what a process printed that has not begun is told so [CREW-53]', async () => {
  expect(await read({ part: 'transcript' })).toBe('"b" has no transcript yet.');
  printed(named(story, 'b').attempt?.launch?.id ?? '', 'hello\n');
  expect(await read({ part: 'transcript' })).toContain('> hello');
});
