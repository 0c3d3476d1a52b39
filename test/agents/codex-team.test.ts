// Codex as the lead of other agents: a scripted child, a Claude child and a Codex child; parked without a process while they work,
// killed with everything while it waits, and told of each once.

import { expect, it } from 'vitest';
import { cliEnvironment, newestCli, realCli, withoutProgram } from '../model-server/real-cli.ts';
import { notificationsIn } from '../scenarios/children/child-messages.ts';
import { recordOf, runEnd, submit, taskNamed } from '../scenarios/spending/limits-world.ts';
import { until } from '../until.ts';
import { onCodex } from './codex-world.ts';

const timeoutMs = 90_000;
const wait = { call: { tool: 'mcp__signalbox__wait', input: { mode: 'all' } } };
const spawn = (input: object) => ({ call: { tool: 'mcp__signalbox__spawn_agent', input } });

onCodex('a team', (begin) => {
  it('a Codex lead waits for its children without a process, and everything may be killed meanwhile [HAR-32]', async (context) => {
    const { world, prompt, asked } = begin(context);
    await world.up();
    const child = prompt([
      { run: `touch ${world.path('begun')}; until [ -e ${world.path('go')} ]; do sleep 0.05; done` },
      { write: { path: 'child.txt', text: 'c' } },
      { say: 'found by the child' },
    ]);
    const lead = prompt([
      spawn({ name: 'kid', prompt: child }),
      wait,
      { write: { path: 'lead.txt', text: 'l' } },
      { say: 'All in.' },
    ]);
    const { id } = await submit(world, [{ name: 'lead', prompt: lead, harness: 'codex' }]);
    await until(() => world.text('begun') === '' && world.processes().some(({ command }) => /begun/.test(command)), {
      timeoutMs,
      what: 'the child at work',
    });
    // The lead has no process: the child's is the only one.
    const agents = () =>
      world.processes().filter(({ command }) => command.endsWith(' app-server') && !/bwrap|sh /.test(command));
    await until(() => agents().length === 1, { timeoutMs, what: 'the lead to be parked' });
    const before = asked().filter(({ told }) => told.some((text) => text.includes(lead)));
    for (const { pid } of world.processes()) killHard(pid);
    await until(() => world.processes().length === 0, { timeoutMs, what: 'all to be dead' });
    world.touch('go');
    await world.up();
    const run = await runEnd(world, id, timeoutMs);
    expect(run.outcome, JSON.stringify(run.tasks)).toBe('succeeded');
    const own = asked().filter(({ told }) => told.some((text) => text.includes(lead)));
    const news = notificationsIn(own.at(-1)?.told ?? []);
    expect(news.map(({ task, status }) => `${task} ${status}`)).toEqual(['kid succeeded']);
    // Parked without a further request, and resumed with what was said before as it was.
    expect(before).toHaveLength(2);
    const [first, resumed] = [before.at(-1), own[before.length]].map((request) =>
      request?.body.input?.map((item) => JSON.stringify(item)),
    );
    expect(resumed?.slice(0, first?.length)).toEqual(first);
    expect(new Set(own.map(({ session }) => session)).size).toBe(1);
    expect(taskNamed(run, 'lead').attempts).toBe(1);
  });

  it('a Codex lead has a Claude child and a scripted one, each with its own tools and cost', async (context) => {
    const claude = await realCli(newestCli);
    if (claude.kind === 'missing') return withoutProgram(context.skip, claude.why);
    const { server } = begin(context);
    const { world, prompt, asked } = begin(context, { SIGNALBOX_CLAUDE: claude.binary, ...cliEnvironment(server) });
    await world.up();
    const mixed = prompt([{ write: { path: 'claude.txt', text: 'c' } }, { say: 'found by Claude' }]);
    const script = [{ write: { path: 'scripted.txt', text: 's' } }];
    const lead = prompt([
      spawn({ name: 'anthropic', prompt: mixed, harness: 'claude', model: 'claude-haiku-4-5' }),
      spawn({
        name: 'scripted',
        prompt: 'Write the file scripted.txt with one letter and say what you found.',
        harness: 'scripted',
        script,
      }),
      wait,
      { say: 'All in.' },
    ]);
    const { id } = await submit(world, [{ name: 'lead', prompt: lead, harness: 'codex' }]);
    const run = await runEnd(world, id, timeoutMs);
    expect(run.outcome, JSON.stringify(run.tasks)).toBe('succeeded');
    const own = asked().filter(({ told }) => told.some((text) => text.includes(lead)));
    const words = own.at(-1)?.told.join('\n') ?? '';
    for (const said of ['found by Claude', 'The script is done.']) expect(words.includes(said), said).toBe(true);
    expect(asked().some(({ body }) => body.messages !== undefined)).toBe(true);
    expect((await recordOf(world, id)).filter(({ type }) => type === 'agent.created')).toHaveLength(3);
  });
});

function killHard(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It went with another one.
  }
}
