import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { atWork, end, endTurn, gone, heard, named, spawn, wait } from '../../../test/model/children-story.ts';
import { settle } from '../../../test/model/plan-story.ts';
import { type Story, submitted, task } from '../../../test/model/story.ts';
import { notificationText } from '../../model/children/notification.ts';
import { launchDir } from '../../process/launch/launch-dir.ts';
import { keepResult, readResult as readKept, readOut } from '../../process/launch/result-file.ts';
import { textPart } from '../../std/characters.ts';
import { openArtifacts } from '../../store/artifacts/artifacts.ts';
import { createSpeech } from '../watch/agent-speech.ts';
import { type ResultInput, readResult } from './read-results.ts';

let root: string;
let story: Story;

/** `b` is a child of `a` and at work. */
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'results-'));
  story = submitted(task('a'));
  atWork(story, 'a');
  spawn(story, 'a', 'b');
  atWork(story, 'b');
});
afterEach(() => rmSync(root, { recursive: true }));

const launches = {
  keepResult: (id: string, text: string) => keepResult(launchDir(root, id), text),
  readOut: (id: string, from: number, max: number) => readOut(launchDir(root, id), from, max),
  readResult: (id: string, from: number, max: number) => readKept(launchDir(root, id), from, max),
};

async function read(input: Omit<ResultInput, 'task'>): Promise<string> {
  return ask({ task: 'b', ...input });
}

async function ask(input: ResultInput): Promise<string> {
  const prover = {
    readLog: async (log: string, from: number, max: number) =>
      log === checkLog ? textPart('x'.repeat(20_000), from, max) : null,
  };
  const ports = { launches, artifacts: openArtifacts(join(root, 'artifacts')), prover };
  const { text } = await readResult(ports, story.run, named(story, 'a'), input);
  return text;
}

const checkLog = `${'a'.repeat(64)}.${'b'.repeat(8)}.log`;

it('the log of a check is read in parts by its name, and by nothing else [EVID-6]', async () => {
  expect(await ask({ log: checkLog })).toContain(`[there is more: read_output {"log": "${checkLog}", "from": 12000}]`);
  expect(await ask({ log: checkLog, from: 12_000 })).not.toContain('there is more');
  expect(await ask({ log: `${'c'.repeat(64)}.${'b'.repeat(8)}.log` })).toMatch(/^refused: there is no log/);
  expect(await ask({ log: checkLog, task: 'b' })).toMatch(/^refused: name a task/);
});

/** The output of a launch of `b`. */
function printed(launchId: string, out: string): void {
  mkdirSync(join(root, launchId));
  writeFileSync(join(root, launchId, 'out'), out);
}

it('a process that has not started has no transcript yet, and the agent is told so [CHILD-53]', async () => {
  expect(await read({ part: 'transcript' })).toBe('"b" has no transcript yet.');
  printed(named(story, 'b').attempt?.launches.current?.id ?? '', 'hello\n');
  expect(await read({ part: 'transcript' })).toContain('> hello');
});

it('the last words of a stopped child can be read whole by its parent [TELL-4]', async () => {
  expect(await read({})).toBe('"b" has no result yet.');
  const { attempt } = named(story, 'b');
  const launchId = attempt?.launches.current?.id ?? 'launch_';
  story.tell({ type: 'stopTask', taskId: named(story, 'b').spec.id, by: 'ann' });
  const words = 'I have found so far: '.repeat(300);
  const speech = createSpeech({ ports: { launches }, tell: () => {} }, launchId, async () => '');
  speech.tell({ kind: 'text', text: words, within: null });
  const failed = { kind: 'failed', failure: { reason: 'stopped', detail: 'by ann' } } as const;
  mkdirSync(join(root, launchId));
  heard(story, 'b', [await speech.whole({ kind: 'turnEnded', turn: failed })]);
  expect(await read({})).toContain(`result of "b" from 0 to ${words.length}, its own words:\n> ${words}`);
  expect(notificationText(story.run, named(story, 'b'))).toContain(`output: ${join(root, launchId, 'result')}`);
});

it('the path of the whole text and the failure are given in full, within the bound [TELL-1]', () => {
  const whole = `/home/${'somebody/'.repeat(25)}launches/l/result`;
  const failure = { reason: 'crash', detail: `It met ${'this and that, '.repeat(60)}` } as const;
  const said = 'x'.repeat(2_000);
  heard(story, 'b', [{ kind: 'turnEnded', turn: { kind: 'failed', failure, said, whole } }]);
  end(story, 'b');
  const text = notificationText(story.run, named(story, 'b'));
  expect(text).toContain(`\noutput: ${whole}\n`);
  expect(text).toContain(`crash: ${failure.detail.slice(0, 300)}…`);
  expect(text.length).toBeLessThanOrEqual(2_000);
});

it('the last words stay readable after a child was woken and stopped before it said more [TELL-4]', async () => {
  const words = 'What I found, line by line. '.repeat(300);
  const { attempt } = named(story, 'b');
  const first = attempt?.launches.current?.id ?? 'launch_';
  mkdirSync(join(root, first));
  wait(story, 'b', [], 'all', 60_000);
  const turn = {
    kind: 'ok',
    text: words.slice(0, 4_000),
    cut: true,
    whole: await launches.keepResult(first, words),
  } as const;
  heard(story, 'b', [{ kind: 'turnEnded', turn }]);
  story.now += 10_000;
  settle(story);
  gone(story, 'b');
  story.now += 50_000;
  settle(story);
  atWork(story, 'b');
  expect(attempt?.launches.current?.id).not.toBe(first);
  expect(await read({})).toContain(`its own words:\n> ${words}`);
});

it('the file with the whole text is named by its full path, within the bound of a notification [TELL-1]', () => {
  const path = `/home/${'deep/'.repeat(77)}result`;
  const { attempt } = named(story, 'b');
  const turn = { kind: 'ok', text: '> '.repeat(2_000), cut: true, whole: path } as const;
  heard(story, 'b', [{ kind: 'turnEnded', turn }]);
  const detail = `it is "${'x'.repeat(9_000)}`;
  Object.assign(named(story, 'b'), {
    outcome: { kind: 'failed', failure: { reason: 'crashed', detail } },
    output: 'y'.repeat(490),
  });
  const told = notificationText(story.run, named(story, 'b'));
  expect(told).toContain(`\noutput: ${path}\n`);
  expect(told).toContain(`failure: crashed: it is '${'x'.repeat(250)}`);
  expect(told.length).toBeLessThanOrEqual(2_000);
  if (attempt !== null) attempt.turn.ended = { ...turn, whole: `${path}/${path}` };
  expect(notificationText(story.run, named(story, 'b'))).not.toContain('output:');
});

it('the last words of a killed child can be read [TELL-4]', async () => {
  const { spec, attempt } = named(story, 'b');
  story.tell({ type: 'stopTask', taskId: spec.id, by: 'ann' });
  const unfinished = { said: 'I have found one so far.' };
  story.tell({
    type: 'down',
    launchId: attempt?.launches.current?.id ?? 'launch_',
    status: 137,
    turn: null,
    unfinished,
  });
  story.tell({ type: 'saved', attemptId: attempt?.id ?? 'attempt_', ref: 'r', commit: 'c' });
  expect(named(story, 'b').outcome).toEqual({ kind: 'stopped' });
  expect(await read({})).toContain('its own words:\n> I have found one so far.');
  expect(notificationText(story.run, named(story, 'b'))).toContain('> I have found one so far.');
});

it('a child that ended without a word is reported as such', async () => {
  const { spec, attempt } = named(story, 'b');
  story.tell({ type: 'stopTask', taskId: spec.id, by: 'ann' });
  gone(story, 'b', 137);
  story.tell({ type: 'saved', attemptId: attempt?.id ?? 'attempt_', ref: 'r', commit: 'c' });
  expect(named(story, 'b').state).toBe('ended');
  expect(await read({})).toMatch(
    /^"b" has ended \(\w+\) without a result\. "part": "transcript" reads all that it did\.$/,
  );
});

it("every process's transcript of a child can be read, also from before it waited or was sent back [TELL-3]", async () => {
  const { attempt } = named(story, 'b');
  const first = attempt?.launches.current?.id ?? '';
  printed(first, 'before\n');
  wait(story, 'b', [], 'all', 60_000);
  endTurn(story, 'b', '');
  story.now += 10_000;
  settle(story);
  gone(story, 'b');
  expect(await read({ part: 'transcript' })).toContain('> before');
  story.now += 50_000;
  settle(story);
  atWork(story, 'b');
  const second = attempt?.launches.current?.id ?? '';
  expect(second).not.toBe(first);
  printed(second, 'after\n');
  expect(await read({ part: 'transcript' })).toBe(
    'transcript of process 2 of 2 of "b" from 0 to 6, its own words:\n> after\n> ',
  );
  expect(await read({ part: 'transcript', process: 1 })).toContain('> before');
  expect(await read({ part: 'transcript', process: 3 })).toBe('refused: "b" has had 2 processes only');
});

it('an artifact is read whole by its id, by any agent that was told it [CHILD-61]', async () => {
  const evidence = `${'\u{1f9e8}'.repeat(20_000)} is the end`;
  const { id } = await openArtifacts(join(root, 'artifacts')).put('finding', { evidence });
  let [whole, from] = ['', 0];
  for (let parts = 0; parts < 10; parts += 1) {
    const text = await ask({ artifact: id, from });
    expect(text).not.toMatch(/\p{Surrogate}/u);
    const [head = '', ...lines] = text.split('\n');
    expect(head).toMatch(`${id} (finding) from ${from} to `);
    const next = /"from": (\d+)/.exec(lines.at(-1) ?? '')?.[1];
    whole += (next === undefined ? lines : lines.slice(0, -1)).map((line) => line.slice(2)).join('\n');
    if (next === undefined) break;
    from = Number(next);
  }
  expect(JSON.parse(whole)).toEqual({ evidence });
});

it('a missing artifact is reported, and one thing is read at a time [CHILD-61]', async () => {
  const artifact = `artifact_${'0'.repeat(64)}` as const;
  expect(await ask({ artifact })).toBe(`refused: there is no ${artifact}`);
  for (const input of [{}, { task: 'b', artifact }, { artifact, part: 'output' }, { artifact, process: 1 }] as const) {
    expect(await ask(input)).toMatch(/^refused: name a task, with or without part and process, or an artifact/);
  }
});

it('a part of a typed output cuts no character [CHILD-61]', async () => {
  const said = `x${'\u{1f9e8}'.repeat(10_000)}`;
  heard(story, 'b', [{ kind: 'output', value: said, problems: [] }]);
  named(story, 'b').output = said;
  expect(await read({ part: 'output' })).not.toMatch(/\p{Surrogate}/u);
});
