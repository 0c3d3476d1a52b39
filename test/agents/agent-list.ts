// The programs that `npm run test:agents` runs besides Claude Code, which has suites of its own in `npm test`. A further one is a line
// here and an entry of `programs`.

import { createCodex } from '../../src/harness/codex/codex.ts';
import { codexTested } from '../../src/harness/codex/version.ts';
import type { ToolDefinition } from '../../src/model/tool-calls/tool-list.ts';
import type { Harness } from '../../src/ports/harness.ts';
import type { Subject } from '../harness/behaviour.ts';
import { type AgentProgram, programs } from '../model-server/agent-programs.ts';
import type { ModelServer } from '../model-server/model-server.ts';

export interface AgentUnderTest {
  readonly name: string;
  readonly program: AgentProgram;
  create(given: Given): Harness;
  /** In what it differs from what the suite takes for usual. */
  readonly ways?: Subject['ways'];
}

export interface Given {
  readonly binary: string;
  readonly server: ModelServer;
  readonly tools: readonly ToolDefinition[];
  readonly parkingTools?: readonly string[];
}

const path = process.env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin';

/** With a model that Codex knows one tool runs scripts that call the others; with any other, its tools are functions. */
const codexOf = (name: string, version: string, model: string): AgentUnderTest => ({
  name: `${name} ${version}`,
  program: programs.codex(version),
  create: ({ binary, server, tools, parkingTools = [] }) =>
    createCodex({
      binary,
      model,
      // A credential comes in by the environment; this one opens nothing.
      env: { PATH: path, OPENAI_BASE_URL: `${server.url}/v1`, OPENAI_API_KEY: 'dummy' },
      tools,
      parkingTools,
    }),
  ways: { requestsRefused: { 429: 1 } },
});

export const agents: readonly AgentUnderTest[] = codexTested.flatMap((version) => [
  codexOf('codex', version, 'gpt-6-sol'),
  codexOf('codex with an unknown model', version, 'other-model'),
]);

export const agentPrograms: readonly AgentProgram[] = [
  ...new Map(agents.map(({ program }) => [`${program.package}@${program.version}`, program])).values(),
];
