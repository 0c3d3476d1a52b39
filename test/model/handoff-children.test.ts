// Stories about agents that hand over while others are at work for them, and about what children have by their role.

import { describe, expect, it } from 'vitest';
import type { ContextSpec } from '../../src/model/session/context-spec.ts';
import { promptText } from '../../src/model/tasks/prompt.ts';
import {
  agentOf,
  atWork,
  call,
  endTurn,
  finish,
  gone,
  heard,
  named,
  readInput,
  send,
  spawn,
  wait,
} from './children-story.ts';
import { settle } from './plan-story.ts';
import { createStory, type Story, task } from './story.ts';

const value = { found: ['half of it'], changed: [], remaining: ['the rest'], commands: [] };

function hands(story: Story, name: string, given: typeof value = value) {
  const stored = { artifactId: 'artifact_1', kind: 'handoff', bytes: 9 } as const;
  return call(story, name, { tool: 'submit_artifact', stored, value: given });
}

function lead(context: ContextSpec = { how: 'fail', percent: 90 }): Story {
  const story = createStory();
  const roles = { careful: { prompt: 'Mind.', settings: {}, context: { how: 'handoff', percent: 60 } } } as const;
  const repo = { path: '/repo', base: 'b0' };
  const run = { id: 'run_1', name: 'a run', repo, limits: { parallelMax: 100 }, integrates: true, roles } as const;
  story.tell({ type: 'submit', run, tasks: [task('lead', { context })] });
  atWork(story, 'lead');
  return story;
}

const prompt = (story: Story, name: string) =>
  promptText(story.run, named(story, name), { again: false, inputs: '/i' });

describe('an agent with children', () => {
  it('is started in a fresh session from its handoff, and told how its children are [HAND-2] [HAND-7]', () => {
    const story = lead();
    spawn(story, 'lead', 'helper');
    expect(hands(story, 'lead').text).toMatch(/^Stored as artifact_1\. End your turn now: you are started afresh/);
    endTurn(story, 'lead');
    gone(story, 'lead');
    expect(named(story, 'lead').attempt).toMatchObject({ state: 'launching', launches: { renewals: 1 }, waits: null });
    expect(prompt(story, 'lead')).toMatch(/\n- helper: ready/);
    expect(prompt(story, 'lead')).toContain('- half of it');
    // Its child goes on, and it rests for that as it would have.
    atWork(story, 'lead');
    endTurn(story, 'lead');
    expect(named(story, 'lead').attempt).toMatchObject({ state: 'running', stop: null });
    expect(named(story, 'helper').state).toBe('ready');
  });

  it('that waits after its handoff does not: the fresh session is told instead [HAND-7]', () => {
    const story = lead();
    spawn(story, 'lead', 'helper');
    hands(story, 'lead');
    wait(story, 'lead', ['helper']);
    endTurn(story, 'lead');
    gone(story, 'lead');
    expect(named(story, 'lead').attempt).toMatchObject({ state: 'launching', waits: null });
  });

  it('gets messages that its former session had not read [HAND-7]', () => {
    const story = lead();
    spawn(story, 'lead', 'helper');
    atWork(story, 'helper');
    hands(story, 'lead');
    send(story, 'helper', 'lead', 'found it');
    story.tell({ type: 'tick' });
    endTurn(story, 'lead');
    gone(story, 'lead');
    expect(agentOf(story, 'lead').mailbox.records.map(({ body }) => body.kind)).toEqual(['prompt']);
    atWork(story, 'lead');
    story.tell({ type: 'tick' });
    expect(agentOf(story, 'lead').mailbox.records.map(({ body }) => body.kind)).toEqual(['messages']);
  });

  it('whose context is full compacts before it reads the messages that end its rest, also in the same process [HAND-4]', () => {
    const story = lead({ how: 'compact', percent: 80 });
    spawn(story, 'lead', 'helper');
    atWork(story, 'helper');
    wait(story, 'lead', ['helper']);
    const full = { kind: 'filled', tokens: 90, window: 100, compacts: true } as const;
    heard(story, 'lead', [full]);
    readInput(story, 'lead');
    endTurn(story, 'lead');
    finish(story, 'helper');
    settle(story);
    expect(agentOf(story, 'lead').mailbox.records.map(({ body }) => body.kind)).toEqual(['compact', 'messages']);
  });

  it('that hands over with nothing remaining is done [HAND-17]', () => {
    const story = lead();
    expect(hands(story, 'lead', { ...value, remaining: [] }).text).toContain('Nothing is left');
    endTurn(story, 'lead');
    gone(story, 'lead');
    expect(named(story, 'lead').attempt).toMatchObject({ state: 'saving', launches: { renewals: 0 } });
  });

  it("gives children their role's setting for full context windows, or else its own [HAND-15]", () => {
    const story = lead();
    spawn(story, 'lead', 'careful-one', { role: 'careful' });
    spawn(story, 'lead', 'other');
    expect(named(story, 'careful-one').spec.context).toEqual({ how: 'handoff', percent: 60 });
    expect(named(story, 'other').spec.context).toEqual({ how: 'fail', percent: 90 });
  });
});
