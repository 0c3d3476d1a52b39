// The stall windows that people read are those that agents are held to.

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { stallMinutes } from '../src/daemon/diagnosis.ts';
import { stallFinding } from '../src/doctor/agent-findings.ts';
import { createClaude } from '../src/harness/claude/claude.ts';
import { createCodex } from '../src/harness/codex/codex.ts';
import { createCommand } from '../src/harness/command/command.ts';
import { agentKinds } from '../src/harness/registry.ts';
import { createScripted } from '../src/harness/scripted/scripted.ts';
import { createIds } from '../src/model/core/ids.ts';
import { planRun } from '../src/server/routes/submit-request.ts';
import { createRun } from '../src/wire/request-schemas.ts';

const harnesses = [
  createClaude({ binary: 'claude', model: 'm', env: {} }),
  createCodex({ binary: 'codex', model: 'm', env: {} }),
  createCommand({ env: {} }),
  createScripted(process.execPath),
];
const minutes = harnesses.map(({ name, stall }) => {
  return { harness: name, silence: stall.stallMs / 60_000, toolSilence: stall.toolStallMs / 60_000 };
});

it('the table of docs/limits.md, doctor and the harnesses say the same [STALL-4]', () => {
  const text = readFileSync(new URL('../docs/limits.md', import.meta.url), 'utf8');
  const rows = [...text.matchAll(/^\| `(\w+)` \| (\d+) min \| (\d+) min \|/gm)].map(
    ([, harness, silence, toolSilence]) => {
      return { harness, silence: Number(silence), toolSilence: Number(toolSilence) };
    },
  );
  expect(rows).toEqual(minutes);
  expect(stallMinutes()).toEqual(minutes);
  expect(minutes.map(({ harness }) => harness)).toEqual(agentKinds.map(({ name }) => name));
  expect(stallFinding(stallMinutes()).says).toContain('command 60 min (60 in a tool)');
});

it('a task has the windows of its harness, unless it says otherwise [STALL-4]', () => {
  const request = createRun.parse({
    id: 'run_01h455vb4pex5vsknk084sn02q',
    name: 'r',
    repo: { path: '/r' },
    tasks: [
      { name: 'a', prompt: 'x', harness: 'command' },
      { name: 'b', prompt: 'x', harness: 'claude', caps: { stallMs: 5_000 } },
    ],
  });
  const facts = {
    tellsUsage: () => false,
    stall: (name: string) => harnesses.find((each) => each.name === name)?.stall ?? {},
  };
  const { tasks } = planRun(request, { path: '/r', base: 'b' }, createIds(Date.now, Math.random), 'none', facts);
  const windows = tasks.map(({ caps }) => [caps.stallMs, caps.toolStallMs]);
  expect(windows).toEqual([
    [3_600_000, 3_600_000],
    [5_000, 3_600_000],
  ]);
});
