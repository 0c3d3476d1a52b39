import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codexRecordings, loadCodexRecording } from '../../../test/harness/codex-recordings.ts';
import { type Reading, readAll } from '../../../test/harness/recordings.ts';
import { of, type Summary, summarize } from '../../../test/harness/summary.ts';
import { createCodex } from './codex.ts';

const harness = createCodex({ binary: 'codex', model: 'gpt-6-sol', env: {}, parkingTools: ['wait'] });
const read = (name: string, restart = false): Reading => readAll(harness, loadCodexRecording(name), restart);

const expected: Readonly<Record<string, Summary>> = {
  'dynamic-tools-kill': {
    turns: '',
    used: '0/0 $0 in 0',
    delivered: '1',
    tools: 'mcp__signalbox__echo mcp__signalbox__wait',
    also: 'toolServerCall 1, replies 1',
  },
  'dynamic-tools': {
    turns: 'ok',
    used: '306/60 $0+1? in 3',
    delivered: '1',
    tools: 'mcp__signalbox__echo mcp__signalbox__wait',
    also: 'toolServerCall 1, replies 2',
  },
  'kill-open-call-resume': { turns: 'ok', used: '103/20 $0+1? in 1', delivered: '1' },
  'mcp-approval-elicitation': {
    turns: 'ok',
    used: '203/40 $0+1? in 2',
    delivered: '1',
    tools: 'mcp__signalbox__echo',
    also: 'withdrawn 1, replies 1',
  },
  'park-barrier-interrupt': {
    turns: 'ok',
    used: '203/40 $0+1? in 2',
    delivered: '1',
    tools: 'mcp__signalbox__echo mcp__signalbox__wait',
  },
  'park-interrupt-after': {
    turns: 'stopped',
    used: '203/40 $0+1? in 2',
    delivered: '1',
    tools: 'mcp__signalbox__echo mcp__signalbox__wait',
  },
  'park-interrupt-before': {
    turns: 'stopped',
    used: '203/40 $0+1? in 2',
    delivered: '1',
    tools: 'mcp__signalbox__echo mcp__signalbox__wait',
  },
  'recommended-resume': {
    turns: 'ok ok',
    used: '434/80 $0+2? in 4',
    delivered: '1 2',
    tools: 'mcp__signalbox__echo mcp__signalbox__wait mcp__signalbox__echo mcp__signalbox__wait',
    also: 'toolServerCall 2, round 2, replies 4',
  },
  recommended: {
    turns: 'ok ok ok',
    used: '621/120 $0+3? in 6',
    delivered: '1 2 3',
    tools:
      'mcp__signalbox__echo mcp__signalbox__wait mcp__signalbox__echo mcp__signalbox__wait mcp__signalbox__echo mcp__signalbox__wait',
    also: 'toolServerCall 3, round 3, replies 6',
  },
  'v0.166.0-approvals-schema-steer-interrupt': {
    turns: 'ok ok ok stopped unavailable',
    used: '1225/140 $0+4? in 7',
    delivered: '1 2 3 3 4 5',
    tools: 'Bash Bash Bash Bash',
    also: 'permissionRequest 1, blocked 1, withdrawn 1, error 1, limited 1',
  },
};

describe('recorded transcripts of Codex', () => {
  it('each have a row in the table', () => {
    expect(codexRecordings.toSorted()).toEqual(Object.keys(expected).toSorted());
  });

  it.each(codexRecordings)('%s is read as expected [HAR-2]', (name) => {
    expect(summarize(read(name))).toEqual(expected[name]);
  });

  it.each(codexRecordings)(
    '%s is read the same when the state is stored and restored after every line [HAR-1]',
    (name) => {
      const [straight, restarted] = [read(name), read(name, true)];
      expect(restarted.events).toEqual(straight.events);
      expect(Math.max(...straight.states.map((state) => state.length))).toBeLessThan(1_500);
    },
  );

  it.each(codexRecordings)('%s cut off anywhere neither throws nor ends well', (name) => {
    const recording = loadCodexRecording(name);
    for (let cut = 0; cut < recording.lines.length; cut += 1) {
      const lines = recording.lines.slice(0, cut);
      const { events } = readAll(harness, { ...recording, lines });
      const ends = lines.filter((line) => line.includes('"turn/completed"')).length;
      expect(of(events, 'turnEnded').length).toBeLessThanOrEqual(ends);
    }
  });

  it('any line is answered by the codec, and its state stays small [HAR-1]', () => {
    const samples = codexRecordings.flatMap((name) => loadCodexRecording(name).lines);
    const damaged = fc.tuple(fc.constantFrom(...samples), fc.nat(), fc.string()).map(([line, at, noise]) => {
      const place = at % line.length;
      return line.slice(0, place) + noise + line.slice(place + noise.length);
    });
    const strange = fc.record(
      {
        id: fc.oneof(
          fc.nat(),
          fc.constantFrom('open', 'hooks', 'record_1', 'gate:0', 'pause:', '__proto__'),
          fc.jsonValue(),
        ),
        method: fc.constantFrom(
          'item/tool/call',
          'turn/started',
          'turn/completed',
          'item/started',
          'hook/started',
          'error',
          7,
        ),
        params: fc.jsonValue(),
        result: fc.jsonValue(),
        error: fc.jsonValue(),
      },
      { requiredKeys: [] },
    );
    const line = fc.oneof(
      fc.string(),
      damaged,
      strange.map((value) => JSON.stringify(value)),
      fc.constantFrom(...samples),
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 60 }), (some) => {
        const lines = some.map((one) => one.replaceAll('\n', ' '));
        const { states } = readAll(harness, { lines, sent: [], status: 1 });
        expect(Math.max(...states.map((state) => state.length))).toBeLessThan(250_000);
      }),
      { numRuns: 150 },
    );
  });

  it('a line that is no JSON object becomes an event', () => {
    const { events } = readAll(harness, { lines: ['Segmentation fault', '', '[1]', 'null'], sent: [], status: 1 });
    expect(of(events, 'garbage').map(({ text }) => text)).toEqual(['Segmentation fault', '[1]', 'null']);
  });
});
