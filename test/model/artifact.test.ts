// Rules of artifacts in the journal: what is stamped, with what, and how others refer to it.

import { describe, expect, it } from 'vitest';
import { resultOf, type StoredArtifact } from '../../src/model/attempt/artifact.ts';
import { kindSchemas } from '../../src/model/attempt/artifact-kinds.ts';
import type { Run } from '../../src/model/core/run.ts';
import { resultArtifact } from '../../src/model/inputs/task-inputs.ts';
import { readRun, writeRun } from '../../src/model/snapshot.ts';
import { promptText } from '../../src/model/tasks/prompt.ts';
import { plainTask } from '../plain-task.ts';
import { atWork, call, endTurn, gone, named } from './children-story.ts';
import { give } from './plan-story.ts';
import { attempt, down, launched, type Story, submitted, task, taskId, turned } from './story.ts';

const schema = { type: 'object' };
const ref = (path: string): { ref: string[] } => ({ ref: path.split('.') });
const stored = (name: string, kind: StoredArtifact['kind'] = 'output'): StoredArtifact => ({
  artifactId: `artifact_${name}`,
  kind,
  bytes: 10,
});

describe('an artifact', () => {
  it('is stamped with its author, inputs and commit, beside the work [ART-10]', () => {
    const story = submitted(
      task('a', { output: schema }),
      task('b', { output: schema }),
      task('c', { needs: [taskId('a'), taskId('b')], prompt: ['take ', ref('tasks.a.output')], output: schema }),
    );
    done(story, 'a', [stored('of-a'), stored('files', 'file-set')]);
    done(story, 'b', [stored('of-b')]);
    done(story, 'c', [stored('of-c')]);
    const types = story.events.map(({ type }) => type);
    expect(types.slice(types.indexOf('workspace.saved'))[1]).toBe('artifact.stored');
    expect(story.events.findLast(({ type }) => type === 'artifact.stored')).toMatchObject({
      ...stored('of-c'),
      taskId: 'task_c',
      attemptId: attempt('c'),
      agentId: 'agent_c-1',
      inputs: ['artifact_of-a'],
      commit: 'b0',
    });
  });

  it('names the list of its matrix, and what it accounts for [ART-10]', () => {
    const story = submitted(
      task('a', { output: schema }),
      task('m', { kind: 'matrix', needs: [taskId('a')], items: ref('tasks.a.output.list'), output: schema }),
      task('s', { needs: [taskId('m')], accounts: true }),
    );
    done(story, 'a', [stored('of-a')], { list: [1, 2] });
    story.tell({ type: 'tick' });
    done(story, 'mi1', [stored('of-m1')]);
    done(story, 'mi2', [stored('of-m2')]);
    const stamp = story.events.findLast((event) => event.type === 'artifact.stored');
    expect(stamp?.inputs).toEqual(['artifact_of-a']);
    launched(story, 's');
    const sources = { used: ['artifact_mi1-1'], rejected: [{ id: 'artifact_mi2-1', reason: 'no' }] };
    give(story, 's', { summary: '', sources });
    save(story, 's', [stored('of-s')]);
    const last = story.events.findLast((event) => event.type === 'artifact.stored');
    expect(last?.inputs).toEqual(['artifact_of-m1', 'artifact_of-m2']);
  });

  it('of a fixed conflict names that conflict, and the conflict itself does not [ART-10]', () => {
    const retry = { ...plainTask.retry, conflictsMax: 1, delayMs: 0 };
    const story = submitted(task('a', { retry }));
    launched(story, 'a');
    turned(story, 'a');
    down(story, 'a', 0);
    const saved = { ref: 'refs/a', commit: 'c1' };
    story.tell({ type: 'saved', attemptId: attempt('a'), ...saved, artifacts: [stored('said', 'report')] });
    const conflict = {
      kind: 'conflict',
      paths: ['x'],
      pathsTotal: 1,
      with: [],
      stored: stored('clash', 'conflict'),
    } as const;
    story.tell({ type: 'integrated', from: 'b0', results: [{ attemptId: attempt('a'), ...conflict }] });
    story.now += 10_000;
    story.tell({ type: 'tick' });
    launched(story, 'a', 2);
    turned(story, 'a', true, 2);
    down(story, 'a', 0, 2);
    story.tell({ type: 'saved', attemptId: attempt('a', 2), ...saved, artifacts: [stored('mended', 'report')] });
    const stamps = story.events.flatMap((event) => (event.type === 'artifact.stored' ? [event] : []));
    expect(stamps.map(({ artifactId, inputs }) => [artifactId, inputs])).toEqual([
      ['artifact_said', []],
      ['artifact_clash', []],
      ['artifact_mended', ['artifact_clash']],
    ]);
  });

  it('is referred to by its id once its task has succeeded, also from a snapshot [ART-5]', () => {
    const story = submitted(
      task('a', { output: schema }),
      task('c', { needs: [taskId('a')], prompt: ['see ', ref('tasks.a.artifact')] }),
    );
    expect(prompt(story.run, 'c')).toBe('see ');
    done(story, 'a', [stored('files', 'file-set'), stored('of-a')]);
    expect(prompt(story.run, 'c')).toBe('see artifact_of-a');
    expect(prompt(readRun(writeRun(story.run)), 'c')).toBe('see artifact_of-a');
  });

  it('of a task is its final result, not what its agent submitted before [ART-5]', () => {
    const story = submitted(task('a', { output: schema }), task('b'));
    for (const name of ['a', 'b']) {
      const kind = name === 'a' ? 'output' : 'report';
      atWork(story, name);
      for (const each of ['first', 'second'])
        call(story, name, { tool: 'submit_artifact', stored: stored(each, kind), value: {} });
      const about = () => JSON.parse(call(story, name, { tool: 'get_task', task: name }).text) as object;
      const handed = [`artifact_first (${kind})`, `artifact_second (${kind})`];
      expect(about()).toMatchObject({ artifacts: handed });
      endTurn(story, name);
      gone(story, name);
      const artifacts = [stored('last', kind), stored('files', 'file-set')];
      story.tell({ type: 'saved', attemptId: attempt(name), ref: 'r', commit: 'b0', artifacts });
      expect(resultArtifact(named(story, name))).toBe('artifact_last');
      expect(resultArtifact(named({ ...story, run: readRun(writeRun(story.run)) }, name))).toBe('artifact_last');
    }
  });

  it('is named where its value is cut, beside the file that has the whole [ART-11]', () => {
    const story = submitted(
      task('a', { output: schema }),
      task('c', { needs: [taskId('a')], prompt: ['see ', ref('tasks.a.output')] }),
    );
    done(story, 'a', [stored('of-a')], { text: 'x'.repeat(20_000) });
    expect(prompt(story.run, 'c')).toMatch(
      /the whole is in \/w\/inputs\/a\.json, which is artifact_of-a\]\n\nWhat stands between/,
    );
  });
});

describe('the result of an attempt', () => {
  it('is its output, of the kind that its task names [ART-12]', () => {
    const story = submitted(
      task('a', { output: kindSchemas.report, outputKind: 'report' }),
      task('b', { output: schema }),
    );
    for (const name of ['a', 'b']) {
      launched(story, name);
      give(story, name, { title: 't', text: 'x' });
      down(story, name, 0);
    }
    expect(result(story, 'a')).toEqual({ kind: 'report', value: { title: 't', text: 'x' } });
    expect(result(story, 'b')).toEqual({ kind: 'output', value: { title: 't', text: 'x' } });
  });

  it("is the agent's last words if it has no output, and nothing if it failed [ART-12]", () => {
    const story = submitted(task('a'), task('b'));
    for (const name of ['a', 'b']) {
      launched(story, name);
      turned(story, name, name === 'a');
      down(story, name, 0);
    }
    expect(result(story, 'a')).toEqual({ kind: 'report', value: { title: 'a', text: 'done' } });
    expect(result(story, 'b')).toBeNull();
  });
});

function done(story: Story, name: string, artifacts: readonly StoredArtifact[], value: object = {}): void {
  launched(story, name);
  give(story, name, value as never);
  save(story, name, artifacts);
}

function save(story: Story, name: string, artifacts: readonly StoredArtifact[]): void {
  down(story, name, 0);
  story.tell({ type: 'saved', attemptId: attempt(name), ref: `refs/${name}`, commit: 'b0', artifacts });
}

function result(story: Story, name: string) {
  const found = story.run.live.get(attempt(name));
  return found === undefined ? undefined : resultOf(story.run, found);
}

function prompt(run: Run, name: string): string {
  const found = run.tasks.get(taskId(name));
  return found === undefined ? '' : promptText(run, found, { again: false, inputs: '/w/inputs' });
}
