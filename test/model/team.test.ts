// Teams: members that stay, the list that they share, and how they come to an end.

import { describe, expect, it } from 'vitest';
import { evolve } from '../../src/model/evolve.ts';
import { emptyHost } from '../../src/model/host/host.ts';
import { emptyRun } from '../../src/model/new-state.ts';
import { readRun, writeRun } from '../../src/model/snapshot.ts';
import { promptText } from '../../src/model/tasks/prompt.ts';
import { waitReason } from '../wait-reason.ts';
import { attemptOf, call, named, spawn } from './children-story.ts';
import { settle, states } from './plan-story.ts';
import type { Story } from './story.ts';
import {
  add,
  begin,
  claim,
  done,
  endTurn,
  finish,
  giveBack,
  giveUpProcesses,
  inboxOf,
  items,
  led,
  readInput,
  remove,
  resting,
  takeUpByMessage,
  tasksCall,
  turn,
  write,
} from './team-story.ts';

describe('a team', () => {
  it('has one lead and a name of its own [TEAM-1] [TEAM-18]', () => {
    const story = led();
    expect(call(story, 'lead', { tool: 'team_create', name: 'squad', purpose: '' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('there is or was a team "squad"'),
    });
    const { text } = call(story, 'lead', { tool: 'team_list' });
    expect(JSON.parse(text)).toMatchObject({ team: 'squad', lead: 'lead', purpose: 'to build it', members: [] });
  });

  it('is joined by children of its lead or of agents below it [TEAM-1]', () => {
    const story = led('ann');
    begin(story, 'ann', 'other');
    expect(spawn(story, 'ann', 'bob', { team: 'squad' }).isError).toBe(false);
    expect(spawn(story, 'other', 'eve', { team: 'squad' }).text).toContain('led by "lead"');
    expect(spawn(story, 'lead', 'eve', { team: 'sqaud' }).text).toContain('did you mean "squad"?');
    expect(story.run.teams.get('squad')?.members.map(({ taskId }) => story.run.tasks.get(taskId)?.spec.name)).toEqual([
      'ann',
      'bob',
    ]);
  });

  it('is described to its members with their prompt [TEAM-1]', () => {
    const story = led('ann');
    const text = promptText(story.run, named(story, 'ann'), { again: false, inputs: '/in' });
    expect(text).toContain('You are "ann", a member of team "squad" under "lead"');
    expect(text).toContain('> to build it');
  });

  it("is described to an agent that takes over the lead's or a member's task, with the items it holds [TEAM-9]", () => {
    const prompt = (story: Story, name: string): string =>
      promptText(story.run, named(story, name), { again: true, inputs: '/i' });
    const story = resting('ann');
    expect(prompt(story, 'lead')).toContain('- You lead team "squad".\nteam_list shows');
    expect(prompt(story, 'ann')).not.toContain('teams so far');
    add(story, 'lead', { title: 'one' }, { title: 'two' });
    readInput(story, 'ann');
    claim(story, 'ann', 1);
    claim(story, 'ann', 2);
    expect(prompt(story, 'ann')).toContain('- You hold 1, 2 of the list of "squad".');
  });

  it('is the same after a restart, from its events and from a snapshot [TEAM-9]', () => {
    const story = resting('ann', 'bob');
    add(story, 'lead', { title: 'one' }, { title: 'two', needs: [1] });
    settle(story);
    readInput(story, 'ann');
    claim(story, 'ann');
    remove(story, 'lead');
    const again = emptyRun();
    for (const event of story.events) evolve(again, structuredClone(event));
    expect(again.teams).toEqual(story.run.teams);
    expect(readRun(writeRun(story.run)).teams).toEqual(story.run.teams);
  });
});

describe('a member', () => {
  it('stays when its turn ends, without a process, and is the same agent for what comes next [TEAM-2]', () => {
    const story = resting('ann');
    expect(attemptOf(story, 'ann')).toMatchObject({ state: 'running', stop: null });
    giveUpProcesses(story);
    expect(attemptOf(story, 'ann')).toMatchObject({
      state: 'resting',
      parking: { parked: { why: { kind: 'waits' } } },
    });
    expect(waitReason(story.run, named(story, 'ann'), emptyHost(), story.now)).toBe('work of team "squad"');
    write(story, 'lead', 'ann');
    expect(readInput(story, 'ann')).toEqual(['hello']);
    endTurn(story, 'ann');
    giveUpProcesses(story);
    expect(attemptOf(story, 'ann')).toMatchObject({
      n: 1,
      launches: { count: 2 },
      parking: { parked: { why: { kind: 'waits' } } },
    });
  });

  it('of no team ends with its turn [TEAM-2]', () => {
    const story = led();
    spawn(story, 'lead', 'once');
    begin(story, 'once');
    turn(story, 'once');
    expect(attemptOf(story, 'once').stop?.reason).toBe('finished');
  });
});

describe('messages to a team', () => {
  it('go to everybody in it but their sender [TEAM-3]', () => {
    const story = resting('ann', 'bob');
    takeUpByMessage(story, 'ann');
    expect(write(story, 'ann', 'team:squad').text).toBe('Sent to 2 of team "squad".');
    expect(inboxOf(story, 'lead')).toEqual(['hello']);
    expect(inboxOf(story, 'bob')).toEqual(['hello']);
    expect(inboxOf(story, 'ann')).toEqual([]);
  });

  it('are all sent or none [TEAM-3]', () => {
    const story = led('ann', 'bob');
    begin(story, 'ann', 'bob');
    for (let i = 0; i < 59; i++) expect(write(story, 'ann', 'team:squad').isError).toBe(false);
    expect(write(story, 'ann', 'lead').isError).toBe(false);
    const before = story.run.messages.count;
    expect(write(story, 'ann', 'team:squad')).toMatchObject({
      isError: true,
      text: expect.stringContaining('messages-per-minute: 120'),
    });
    expect(story.run.messages.count).toBe(before);
  });

  it("are refused from other agents, and no agent uses Signalbox's types [TEAM-11]", () => {
    const story = led('ann');
    begin(story, 'ann', 'other');
    expect(write(story, 'other', 'team:squad').text).toContain('neither lead nor member');
    expect(write(story, 'ann', 'team:squid').text).toContain('did you mean "squad"?');
    expect(write(story, 'other', 'ann', 'shutdown').text).toContain('by Signalbox alone');
    expect(write(story, 'other', 'lead', 'shutdown-agreed').text).toContain('for a member');
  });
});

describe('the list', () => {
  it('gives each item to one member, and tells the others which [TEAM-4]', () => {
    const story = led('ann', 'bob');
    begin(story, 'ann', 'bob');
    add(story, 'lead', { title: 'one', text: 'all about it' });
    expect(claim(story, 'ann').text).toBe(
      'It is yours. team_tasks marks it as done, or gives it back.\nitem 1, claimed by "ann":\n> one\n> all about it',
    );
    expect(claim(story, 'bob', 1)).toMatchObject({ isError: true, text: 'refused: item 1 is held by "ann"' });
    expect(claim(story, 'bob').text).toContain('nothing on the list is free (1 held');
    expect(claim(story, 'ann', 1).text).toContain('You have it already');
    expect(claim(story, 'ann', 7).text).toContain('no item 7');
    begin(story, 'other');
    expect(claim(story, 'other', 1).text).toContain('neither lead nor member');
  });

  it('gives no item before what it needs is done [TEAM-4]', () => {
    const story = led('ann');
    begin(story, 'ann');
    expect(add(story, 'lead', { title: 'one', needs: [1] }).text).toContain('it needs what stands before it');
    add(story, 'lead', { title: 'one' }, { title: 'two', needs: [1] });
    expect(claim(story, 'ann', 2).text).toBe('refused: item 2 needs 1 to be done first');
    claim(story, 'ann');
    expect(done(story, 'ann', 1, 'made it').isError).toBe(false);
    expect(claim(story, 'ann').isError).toBe(false);
    expect(items(story)).toEqual([
      ['done', named(story, 'ann').spec.id],
      ['claimed', named(story, 'ann').spec.id],
    ]);
  });

  it("is changed by an item's holder or the lead, whole or not at all [TEAM-5]", () => {
    const story = led('ann', 'bob');
    begin(story, 'ann', 'bob');
    add(story, 'ann', { title: 'one' }, { title: 'two' });
    claim(story, 'ann');
    expect(done(story, 'bob', 1).text).toContain('item 1 is not yours: "ann" holds it');
    expect(giveBack(story, 'bob', 1).isError).toBe(true);
    const mixed = call(story, 'bob', {
      ...tasksCall,
      add: [{ title: 'three', text: '', needs: [] }],
      done: [{ n: 2, result: '' }],
    });
    expect(mixed.text).toContain('nobody holds it');
    expect(items(story)).toHaveLength(2);
    expect(giveBack(story, 'ann', 1).isError).toBe(false);
    expect(claim(story, 'bob', 1).isError).toBe(false);
    expect(done(story, 'lead', 1).isError).toBe(false);
    expect(done(story, 'bob', 1).text).toContain('is done by "bob"');
  });

  it('is given in pages, and one item whole [TEAM-13]', () => {
    const story = led();
    for (let i = 0; i < 2; i++) add(story, 'lead', ...Array.from({ length: 60 }, () => ({ title: 'x'.repeat(200) })));
    const first = call(story, 'lead', tasksCall).text.split('\n');
    expect(first).toHaveLength(51);
    expect(first.at(-1)).toBe('[70 more: team_tasks {"team":"squad","from":50}]');
    expect(call(story, 'lead', { ...tasksCall, from: 100 }).text.split('\n')).toHaveLength(20);
    expect(call(story, 'lead', { ...tasksCall, show: 3 }).text).toBe(`item 3, free:\n> ${'x'.repeat(200)}`);
  });

  it('is given as it is after the call, and a cut says how to read the whole [TEAM-13]', () => {
    const story = led('ann');
    begin(story, 'ann');
    add(story, 'lead', { title: 'one' });
    claim(story, 'ann');
    const result = 'y'.repeat(300);
    const both = call(story, 'ann', { ...tasksCall, done: [{ n: 1, result }], show: 1 });
    expect(both.text).toBe(`item 1, done by "ann":\n> one\nresult:\n> ${result}`);
    const [line = '', whole] = call(story, 'lead', tasksCall).text.split('\n');
    expect(JSON.parse(line)).toMatchObject({ n: 1, result: `${'y'.repeat(200)}…` });
    expect(whole).toBe('[results that end in … are cut: team_tasks {"team":"squad","show":1} gives one whole]');
  });

  it('has limits, which are named when reached [TEAM-19]', () => {
    const story = led();
    const many = Array.from({ length: 100 }, () => ({ title: 'x' }));
    for (let i = 0; i < 10; i++) expect(add(story, 'lead', ...many).isError).toBe(false);
    expect(add(story, 'lead', { title: 'x' }).text).toContain('limit team-items: 1000');
    expect(story.run.children.limitsNotified.map(({ limit }) => limit)).toEqual(['teamItemsMax']);
  });

  it('can be worked off after a person has lowered its limits [TEAM-19]', () => {
    const story = led();
    add(story, 'lead', { title: 'one', text: 'x'.repeat(2_000) }, { title: 'two' });
    story.tell({ type: 'setLimits', limits: { teamItemsMax: 1, teamCharsMax: 1_000 }, by: 'ann' });
    expect(done(story, 'lead', 1).isError).toBe(false);
    expect(add(story, 'lead', { title: 'three' }).text).toContain('limit team-items: 1');
  });

  it('gets items of an ended member back [TEAM-12]', () => {
    const story = led('ann', 'bob');
    begin(story, 'ann', 'bob');
    add(story, 'lead', { title: 'one' });
    claim(story, 'ann');
    call(story, 'lead', { tool: 'stop_task', task: 'ann', reason: null });
    finish(story, 'ann');
    expect(states(story)['ann']).toBe('stopped');
    expect(claim(story, 'bob', 1).isError).toBe(false);
  });
});

describe('a free item of a team', () => {
  it('is announced to one resting member, and to the next when that one does not take it [TEAM-6]', () => {
    const story = resting('ann', 'bob');
    giveUpProcesses(story);
    add(story, 'lead', { title: 'one' });
    settle(story);
    expect(inboxOf(story, 'ann')).toEqual([expect.stringContaining('Item 1 of team "squad" is free')]);
    expect(inboxOf(story, 'bob')).toEqual([]);
    turn(story, 'ann');
    expect(inboxOf(story, 'bob')).toHaveLength(1);
    turn(story, 'bob');
    expect([inboxOf(story, 'ann'), inboxOf(story, 'bob')]).toEqual([[], []]);
  });

  it('wakes as many members as there are items, and none that holds one [TEAM-6]', () => {
    const story = resting('ann', 'bob', 'cy');
    add(story, 'lead', { title: 'one' }, { title: 'two' }, { title: 'three', needs: [1, 2] });
    settle(story);
    expect(['ann', 'bob', 'cy'].map((name) => inboxOf(story, name).length)).toEqual([1, 1, 0]);
    readInput(story, 'ann');
    claim(story, 'ann', 1);
    readInput(story, 'bob');
    claim(story, 'bob', 2);
    done(story, 'bob', 2);
    done(story, 'ann', 1);
    settle(story);
    expect(inboxOf(story, 'cy')).toEqual([expect.stringContaining('Item 3')]);
  });
});

describe('the end of a team', () => {
  it('is asked of active members, by name, and comes when they have agreed [TEAM-7]', () => {
    const story = resting('ann', 'bob');
    takeUpByMessage(story, 'bob');
    const refusal = remove(story, 'lead');
    expect(refusal.isError).toBe(true);
    expect(refusal.text).toContain('- ann: rests\n- bob: at work');
    expect(readInput(story, 'ann')).toEqual([expect.stringContaining('"lead" wants to end team "squad"')]);
    expect(write(story, 'ann', 'lead', 'shutdown-agreed').isError).toBe(false);
    expect(inboxOf(story, 'lead')).toEqual([]);
    endTurn(story, 'ann');
    expect(attemptOf(story, 'ann').stop?.reason).toBe('finished');
    finish(story, 'ann');
    expect(states(story)['ann']).toBe('succeeded');
    expect(remove(story, 'lead').text).not.toContain('ann');
    readInput(story, 'bob');
    write(story, 'bob', 'lead', 'shutdown-agreed');
    endTurn(story, 'bob');
    finish(story, 'bob');
    expect(remove(story, 'lead')).toMatchObject({
      isError: false,
      text: 'Team "squad" is deleted; 0 of 0 items were not done.',
    });
    expect(remove(story, 'lead').text).toContain('is over');
    expect(spawn(story, 'lead', 'cy', { team: 'squad' }).text).toContain('is over');
  });

  it('is requested by its lead only [TEAM-7]', () => {
    const story = led('ann');
    begin(story, 'ann');
    expect(remove(story, 'ann').text).toContain('led by "lead": only that one');
  });

  it('can be refused, and the lead is told why [TEAM-7]', () => {
    const story = resting('ann');
    remove(story, 'lead');
    readInput(story, 'ann');
    write(story, 'ann', 'lead', 'shutdown-refused', 'half of it is missing');
    endTurn(story, 'ann');
    expect(attemptOf(story, 'ann').stop).toBeNull();
    expect(readInput(story, 'lead')).toEqual(['half of it is missing']);
    remove(story, 'lead');
    expect(inboxOf(story, 'ann')).toHaveLength(1);
  });

  it('can be agreed to by a member that may send no more messages [TEAM-7]', () => {
    const story = led('ann');
    begin(story, 'ann');
    readInput(story, 'ann');
    while (!write(story, 'ann', 'lead').isError);
    remove(story, 'lead');
    expect(write(story, 'ann', 'lead', 'shutdown-refused').text).toContain('limit messages-per-minute');
    expect(write(story, 'ann', 'lead', 'shutdown-agreed').text).toContain('Noted');
  });

  it('is forced on members that have not agreed within the grace, and on no other [TEAM-15]', () => {
    const story = resting('ann', 'bob');
    takeUpByMessage(story, 'bob');
    expect(remove(story, 'lead', true).text).toContain('have not agreed 60 s after');
    expect(remove(story, 'lead').text).toContain('have not agreed 60 s after');
    readInput(story, 'bob');
    write(story, 'bob', 'lead', 'shutdown-agreed');
    story.now += 59_999;
    settle(story);
    expect(attemptOf(story, 'ann').stop?.reason).not.toBe('stopped');
    expect(story.pending().wakeAt).toBe(story.now + 1);
    story.now += 1;
    settle(story);
    expect(attemptOf(story, 'ann').stop?.reason).toBe('stopped');
    expect(attemptOf(story, 'bob').stop).toBeNull();
    finish(story, 'ann');
    endTurn(story, 'bob');
    finish(story, 'bob');
    expect(states(story)).toMatchObject({ ann: 'stopped', bob: 'succeeded' });
    expect(remove(story, 'lead').isError).toBe(false);
  });

  it('that is forced stops a member below another member once [TEAM-15]', () => {
    const story = led('ann');
    begin(story, 'ann');
    readInput(story, 'ann');
    expect(spawn(story, 'ann', 'bob', { team: 'squad' })).toMatchObject({ isError: false });
    begin(story, 'bob');
    readInput(story, 'bob');
    remove(story, 'lead', true);
    story.now += 60_000;
    settle(story);
    const stops = story.events.flatMap((event) => (event.type === 'stop.asked' ? [event.attemptId] : []));
    expect(stops).toEqual([attemptOf(story, 'ann').id, attemptOf(story, 'bob').id]);
  });
});

describe('a lead that has ended its turn', () => {
  it('ends: members without any work left end with their evidence [TEAM-8]', () => {
    const story = resting('ann', 'bob');
    giveUpProcesses(story);
    expect(story.events.some(({ type }) => type === 'team.dismissed')).toBe(false);
    endTurn(story, 'lead');
    expect(attemptOf(story, 'ann')).toMatchObject({ state: 'saving', result: { verdict: { kind: 'ok' } } });
    finish(story, 'ann', 'bob');
    expect(states(story)).toMatchObject({ ann: 'succeeded', bob: 'succeeded', lead: 'active' });
    // One turn for each message: the second came while the first was on its way.
    turn(story, 'lead', 'lead');
    finish(story, 'lead');
    expect(states(story)['lead']).toBe('succeeded');
  });

  it('ends also with members whose process is still there or is being given up [TEAM-8]', () => {
    const story = resting('ann', 'bob');
    story.now += 10_000;
    story.tell({ type: 'giveUp', attemptId: attemptOf(story, 'ann').id });
    endTurn(story, 'lead');
    expect(attemptOf(story, 'bob').stop?.reason).toBe('finished');
    expect(attemptOf(story, 'ann').stop?.reason).toBe('parked');
    story.tell({ type: 'down', launchId: attemptOf(story, 'ann').launches.current!.id, status: 0, turn: null });
    settle(story);
    expect(attemptOf(story, 'ann').state).toBe('saving');
  });

  it('waits as long as one of its team works, is asked, or is in a timed wait [TEAM-8]', () => {
    const busy = resting('ann', 'bob');
    takeUpByMessage(busy, 'bob');
    endTurn(busy, 'lead');
    expect(attemptOf(busy, 'ann').stop).toBeNull();
    endTurn(busy, 'bob');
    expect(attemptOf(busy, 'ann').stop?.reason).toBe('finished');

    const asked = resting('ann', 'bob');
    takeUpByMessage(asked, 'bob');
    call(asked, 'bob', { tool: 'ask_person', question: 'May I?', options: [] });
    endTurn(asked, 'bob');
    endTurn(asked, 'lead');
    expect(attemptOf(asked, 'ann').stop).toBeNull();

    const timed = resting('ann');
    call(timed, 'lead', { tool: 'wait', tasks: [], mode: 'all', timeoutMs: 5_000 });
    endTurn(timed, 'lead');
    expect(attemptOf(timed, 'ann').stop).toBeNull();
  });

  it('does not wait for what waits for a member: its end, its result, or its paths [TEAM-8]', () => {
    const waiting = resting('ann', 'bob');
    takeUpByMessage(waiting, 'bob');
    call(waiting, 'bob', { tool: 'wait', tasks: ['ann'], mode: 'all', timeoutMs: null });
    endTurn(waiting, 'bob');
    endTurn(waiting, 'lead');
    expect(attemptOf(waiting, 'ann').stop?.reason).toBe('finished');
    expect(attemptOf(waiting, 'bob').stop).toBeNull();
    finish(waiting, 'ann');
    turn(waiting, 'bob', 'lead');
    expect(attemptOf(waiting, 'bob').stop?.reason).toBe('finished');

    const needed = resting('ann');
    spawn(needed, 'lead', 'after', { inputs: ['ann'] });
    endTurn(needed, 'lead');
    finish(needed, 'ann');
    expect(states(needed)).toMatchObject({ ann: 'succeeded', after: 'ready' });

    const held = led();
    spawn(held, 'lead', 'ann', { team: 'squad', writes: ['src/**'] });
    begin(held, 'ann');
    turn(held, 'ann');
    spawn(held, 'lead', 'next', { writes: ['src/a.ts'] });
    endTurn(held, 'lead');
    expect(attemptOf(held, 'ann').stop?.reason).toBe('finished');
  });

  it('has its members try free items first, and is told what was not done [TEAM-8]', () => {
    const story = resting('ann');
    add(story, 'lead', { title: 'one' });
    endTurn(story, 'lead');
    expect(inboxOf(story, 'ann')).toHaveLength(1);
    readInput(story, 'ann');
    claim(story, 'ann');
    endTurn(story, 'ann');
    expect(attemptOf(story, 'ann').stop?.reason).toBe('finished');
    finish(story, 'ann');
    expect(items(story)).toEqual([['free', null]]);
    expect(readInput(story, 'lead')).toEqual([expect.stringContaining('task="ann"')]);
    expect(remove(story, 'lead').text).toContain('1 of 1 items were not done');
  });

  it("gets a member's owed output before it ends [TEAM-8]", () => {
    const story = led();
    spawn(story, 'lead', 'ann', { team: 'squad', output: { type: 'object' } });
    begin(story, 'ann');
    turn(story, 'ann');
    giveUpProcesses(story);
    expect(attemptOf(story, 'ann').parking.parked).not.toBeNull();
    endTurn(story, 'lead');
    expect(attemptOf(story, 'ann')).toMatchObject({ result: { corrections: 1 }, state: 'resting' });
    readInput(story, 'ann');
    expect(attemptOf(story, 'ann').parking.parked).toBeNull();
  });

  it('stops all its members when it fails [TEAM-8]', () => {
    const story = resting('ann');
    giveUpProcesses(story);
    story.tell({ type: 'stopTask', taskId: named(story, 'lead').spec.id, by: 'me' });
    finish(story, 'lead');
    finish(story, 'ann');
    expect(states(story)).toMatchObject({ lead: 'stopped', ann: 'stopped' });
  });
});
