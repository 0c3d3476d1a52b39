// Reads the tool calls of agents: validates them against their schemas, does what needs the disk, and turns each into a
// command for the model. Whatever an agent sends, there is an answer.

import { judge, noRules } from '../../model/asks/permission.ts';
import { type ArtifactKind, isNamedKind, kindSchemas } from '../../model/attempt/artifact-kinds.ts';
import { schemaOf } from '../../model/attempt/typed-output.ts';
import type { Attempt } from '../../model/core/attempt.ts';
import type { MessageId } from '../../model/core/ids.ts';
import type { Json } from '../../model/core/json.ts';
import { taskOf } from '../../model/core/lookup.ts';
import type { Task } from '../../model/core/run.ts';
import type { AgentEvent } from '../../model/session/agent-fact.ts';
import type { Call, CallRequest, ToolName } from '../../model/tool-calls/call.ts';
import { toolDefinitions } from '../../model/tool-calls/tool-list.ts';
import type { EffectContext } from '../effects/run-effect.ts';
import { problemsOf } from '../watch/check-output.ts';
import { commitProblems } from '../watch/named-commits.ts';
import { ownName, readAddress } from './find-other-run.ts';
import { flawOfPaths } from './path-arguments.ts';
import { type ResultInput, readResult } from './read-results.ts';
import { readSpawn, type SpawnInput } from './spawn-arguments.ts';

type ServerCall = Extract<AgentEvent, { kind: 'toolServerCall' }>;
type Input = Record<string, unknown>;

/** `worked`: whether the agent has used other tools since its last call. */
export async function readCall(
  { ports, run, lookRun, signal }: Pick<EffectContext, 'ports' | 'run' | 'lookRun' | 'signal'>,
  attempt: Attempt,
  event: ServerCall,
  worked: boolean,
): Promise<Call> {
  const { requestId, rpcId, toolUseId, tool, input } = event;
  const callId = (toolUseId ?? requestId).slice(0, idMax);
  const request = await requestOf(
    { ports, run, lookRun, signal, attempt, task: taskOf(run, attempt.taskId) },
    tool,
    input,
  );
  return { callId, requestId, rpcId, excerpt: excerptOf(input), worked, request };
}

const idMax = 200;
const excerptMax = 500;

function excerptOf(input: unknown): string {
  const text = JSON.stringify(input ?? {}) ?? '';
  return text.length > excerptMax ? `${text.slice(0, excerptMax)}…` : text;
}

interface Scene extends Pick<EffectContext, 'ports' | 'run' | 'lookRun' | 'signal'> {
  readonly attempt: Attempt;
  readonly task: Task;
}

function answered(name: string, text: string, isError = true): CallRequest {
  return { tool: 'answered', name: name.slice(0, idMax), text, isError };
}

async function requestOf(scene: Scene, name: string, given: unknown): Promise<CallRequest> {
  const definition = toolDefinitions.find((each) => each.name === name);
  if (definition === undefined) {
    const names = toolDefinitions.map((each) => each.name).join(', ');
    return answered(name, `There is no tool ${JSON.stringify(name.slice(0, idMax))}. There are: ${names}.`);
  }
  const input = given ?? {};
  if (isDenied(scene, name, input)) return answered(name, 'refused: the rules of this run do not permit it');
  const problems = problemsOf(definition.inputSchema, input);
  if (problems.length > 0) return answered(name, `refused: the arguments do not fit:\n- ${problems.join('\n- ')}`);
  return byTool[name as ToolName](input as Input, scene);
}

/** Our own tools need no permission. */
function isDenied({ attempt, task }: Scene, name: string, input: unknown): boolean {
  const { permissions, sandbox } = task.spec;
  const rules = { ...noRules, deny: permissions.deny };
  const place = { sandboxed: sandbox === 'workspace', workspace: attempt.workspace.path };
  return (
    judge({ requestId: '', tool: `mcp__signalbox__${name}`, input }, { rules, remembered: [], ...place }) === 'deny'
  );
}

const byTool: Readonly<Record<ToolName, (input: Input, scene: Scene) => CallRequest | Promise<CallRequest>>> = {
  spawn_agent: (input, { ports, run, task }) => {
    const read = readSpawn(ports, run, task, input as unknown as SpawnInput);
    return typeof read === 'string' ? answered('spawn_agent', `refused: ${read}`) : read;
  },
  wait: ({ tasks, mode, timeout_s: time }) => ({
    tool: 'wait',
    tasks: (tasks ?? []) as string[],
    mode: (mode ?? 'all') as 'any' | 'all',
    timeoutMs: msOf(time),
  }),
  get_task: ({ task }) => ({ tool: 'get_task', task: task as string }),
  list_tasks: ({ from, open }) => ({ tool: 'list_tasks', from: (from ?? 0) as number, open: open === true }),
  read_output: async (input, { ports, run, task }) => {
    const { text, isError } = await readResult(ports, run, task, input as unknown as ResultInput);
    return answered('read_output', text, isError);
  },
  send_message: sendRequest,
  read_inbox: ({ message, from }) => ({
    tool: 'read_inbox',
    message: (message ?? null) as MessageId | null,
    from: (from ?? 0) as number,
  }),
  stop_task: ({ task, reason }) => ({
    tool: 'stop_task',
    task: task as string,
    reason: (reason ?? null) as string | null,
  }),
  submit_artifact: submitRequest,
  claim_paths: ({ paths }) => pathsRequest('claim_paths', paths as string[]),
  release_paths: ({ paths }) => pathsRequest('release_paths', (paths ?? []) as string[]),
  report_progress: ({ line, fraction }) => ({
    tool: 'report_progress',
    line: (line as string).replace(/\s+/g, ' '),
    fraction: (fraction ?? null) as number | null,
  }),
  ask_person: ({ question, options }) => ({
    tool: 'ask_person',
    question: question as string,
    options: (options ?? []) as string[],
  }),
  complete_phase: () => ({ tool: 'complete_phase' }),
  team_create: ({ name, purpose }) => ({
    tool: 'team_create',
    name: name as string,
    purpose: (purpose ?? '') as string,
  }),
  team_list: () => ({ tool: 'team_list' }),
  team_delete: ({ team, force }) => ({ tool: 'team_delete', team: team as string, force: force === true }),
  team_tasks: ({ team, add, done, give_back: back, from, show }) => ({
    tool: 'team_tasks',
    team: team as string,
    add: ((add ?? []) as Input[]).map((each) => ({ title: '', text: '', needs: [], ...each })),
    done: ((done ?? []) as Input[]).map((each) => ({ n: 0, result: '', ...each })),
    giveBack: (back ?? []) as number[],
    from: (from ?? 0) as number,
    show: (show ?? null) as number | null,
  }),
  claim_task: ({ team, n }) => ({ tool: 'claim_task', team: team as string, n: (n ?? null) as number | null }),
};

async function sendRequest({ to, text, type, data }: Input, { run, lookRun }: Scene): Promise<CallRequest> {
  const across = await readAddress(run, to as string, lookRun);
  if (typeof across === 'string') return answered('send_message', `refused: ${across}`);
  return {
    tool: 'send_message',
    to: ownName(run, to as string),
    text: text as string,
    type: (type ?? null) as string | null,
    ...(data === undefined ? {} : { data: data as Json }),
    ...(across === null ? {} : { across }),
  };
}

function msOf(seconds: unknown): number | null {
  return typeof seconds === 'number' ? Math.round(seconds * 1000) : null;
}

function pathsRequest(tool: 'claim_paths' | 'release_paths', paths: readonly string[]): CallRequest {
  const flaw = flawOfPaths(paths);
  return flaw === null ? { tool, paths } : answered(tool, `refused: ${flaw}`);
}

/** Stored before an event names it; a value that does not match its kind is refused. */
async function submitRequest({ kind, value }: Input, { ports, task, attempt, signal }: Scene): Promise<CallRequest> {
  const name = kind as string;
  const schema = isNamedKind(name) ? kindSchemas[name] : schemaOf(task.spec);
  if (schema === null) return answered('submit_artifact', 'refused: your task has no output to give; choose a kind');
  const kept: ArtifactKind = isNamedKind(name) ? name : 'output';
  const named = { kind: isNamedKind(name) ? name : (task.spec.outputKind ?? kept), value, harness: task.spec.harness };
  const flaws = problemsOf(schema, value);
  const problems = flaws.length > 0 ? flaws : await commitProblems(ports, attempt.id, named, signal);
  if (problems.length > 0) return answered('submit_artifact', `refused: it does not fit:\n- ${problems.join('\n- ')}`);
  const { id: artifactId, bytes } = await ports.artifacts.put(kept, value as Json);
  return { tool: 'submit_artifact', stored: { artifactId, kind: kept, bytes }, value: value as Json };
}
