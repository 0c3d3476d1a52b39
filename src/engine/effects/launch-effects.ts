// Effects that start a process of an agent and write to its stdin: the harness's view of the agent, the files in its
// home, its input records.

import { join } from 'node:path';
import { schemaOf } from '../../model/attempt/typed-output.ts';
import type { Attempt } from '../../model/core/attempt.ts';
import type { Command } from '../../model/core/command.ts';
import type { LaunchId, RecordId } from '../../model/core/ids.ts';
import type { Json } from '../../model/core/json.ts';
import { agentOf } from '../../model/core/lookup.ts';
import { withModelNamed } from '../../model/core/model-tiers.ts';
import type { Run, Task } from '../../model/core/run.ts';
import type { TaskSpec } from '../../model/core/spec.ts';
import { renderText } from '../../model/inputs/render.ts';
import { inputsOf } from '../../model/inputs/task-inputs.ts';
import { conflictFile, conflictValue } from '../../model/integrate/conflict.ts';
import { resolverOf, settingsIn } from '../../model/integrate/resolver.ts';
import { isInput } from '../../model/messages/record-queue.ts';
import type { Ports } from '../../ports/engine-ports.ts';
import type { AgentContext, Harness, HomeFile, LaunchOrder } from '../../ports/harness.ts';
import { must } from '../../std/assert.ts';
import { placeAdopted } from './adopted-session.ts';
import { imageFiles, imagesOf } from './prompt-images.ts';
import { isPrompt, orderOf } from './record-text.ts';
import type { EffectContext } from './run-effect.ts';
import { workspaceOrder } from './workspace-effects.ts';

export async function launchAgent(context: EffectContext, task: Task, attempt: Attempt) {
  const { ports, run, signal } = context;
  const harness = harnessOf(ports, task);
  const { id: launchId } = must(attempt.launches.current, 'it launches');
  const agent = agentContext(ports, run, task, attempt);
  await placeAdopted(ports, run, task, attempt, agent);
  const reads = harness.capabilities.includes('instructions');
  // In parallel: the launch waits for both, and neither needs the other.
  const [missing, instructions] = await Promise.all([
    lookIntoSession(context, task, attempt, agent),
    reads ? ports.workspaces.instructions(workspaceOrder(run, task, attempt), signal) : null,
  ]);
  const told = { ...agent, instructions, ...toolsOf(ports, run) };
  const order = harness.command(missing ? withoutSession(told) : told);
  const { argv, env, files = [] } = order;
  await ports.homes.prepare(attempt.agentId, [...files, ...inputFiles(run, task), ...(await imageFiles(ports, task))]);
  const reach = agent.sandboxed === true ? await reachOf(ports, attempt, agent, order) : null;
  const place = await ports.workspaces.environment(attempt.id);
  const wished = Object.entries(task.spec.env).map(([name, text]) => [name, renderText(run, task, text, null)]);
  const cwd = attempt.workspace.path;
  const spec = {
    launchId,
    argv,
    env: { ...passedOn(ports, run), ...Object.fromEntries(wished), ...place, ...env },
    cwd,
  };
  return ports.launches.start(reach === null ? spec : { ...spec, reach }, signal);
}

function toolsOf(ports: Ports, { spec }: Run): Pick<AgentContext, 'tools'> {
  return spec?.tools === undefined || ports.tools === undefined ? {} : { tools: ports.tools(spec.id) };
}

/** What the user passes on from their own environment. */
function passedOn(ports: Ports, { spec }: Run): Readonly<Record<string, string>> {
  return spec?.variables === undefined ? {} : (ports.variables?.(spec.id) ?? {});
}

/**
 * Before a session is resumed, its own transcript is searched for the records that the agent has read, so that none is
 * delivered twice. True if the session no longer exists.
 */
async function lookIntoSession(
  { ports, run, send }: EffectContext,
  task: Task,
  attempt: Attempt,
  agent: AgentContext,
): Promise<boolean> {
  const harness = harnessOf(ports, task);
  const { id: launchId, resume } = must(attempt.launches.current, 'it launches');
  const session = resume ? harness.transcript(agent, attempt.workspace.path) : null;
  if (session === null) return false;
  // An agent finds its session by the directory that it is started in.
  const former = attempt.origin.formerPath === null ? null : harness.transcript(agent, attempt.origin.formerPath);
  if (former !== null) await ports.homes.move(attempt.agentId, former, session);
  const records = agentOf(run, attempt.agentId).mailbox.records.filter(isInput);
  const lines = await ports.homes.lines(attempt.agentId, session);
  const missing = lines.length === 0;
  const found = harness.delivered(
    lines,
    records.map((message) => message.id),
  );
  if (missing || found.size > 0) await send({ type: 'found', launchId, recordIds: [...found], missing });
  return missing;
}

/** As the state will be when the lost session is journalled. */
function withoutSession(agent: AgentContext): AgentContext {
  const { session, sessionsBefore = 0 } = agent;
  return { ...agent, session: null, resume: false, sessionsBefore: sessionsBefore + (session === null ? 0 : 1) };
}

/** Writable: its workspace and home. Readable: its program's own files and the objects that its checkout borrows. */
async function reachOf(ports: Ports, attempt: Attempt, agent: AgentContext, { reads = [] }: LaunchOrder) {
  const borrowed = await ports.workspaces.borrowed(attempt.id);
  return { writable: [attempt.workspace.path, agent.home], readable: [...reads, ...borrowed] };
}

export function agentContext(ports: Ports, run: Run, task: Task, attempt: Attempt): AgentContext {
  const agent = agentOf(run, attempt.agentId);
  const { resume, asks } = must(attempt.launches.current, 'it launches');
  const { id: agentId, session } = agent;
  return {
    agentId,
    session,
    sessionsBefore: agent.memory.sessionsBefore,
    resume: resume && session !== null,
    settings: {
      ...settingsOf(ports, run, task),
      ...(attempt.parking.model === null ? {} : { model: attempt.parking.model }),
    },
    brake: asks,
    home: ports.homes.path(agentId),
    sandboxed: task.spec.sandbox === 'workspace',
    schema: schemaOf(task.spec),
    asks: task.spec.permissions.ask.length + task.spec.permissions.deny.length > 0,
  };
}

function settingsOf(ports: Ports, run: Run, task: Task): TaskSpec['settings'] {
  const { spec } = task;
  const resolver = resolverOf(run, task);
  if (resolver === null) return spec.settings;
  // As in plans: settings of a role for another harness are ignored.
  const settings = settingsIn(
    resolver,
    spec,
    (name, value) => ports.harnessFlaw(spec.harness, { [name]: value }) === null,
  );
  return withModelNamed(run.spec?.models ?? {}, spec.harness, settings);
}

/**
 * A record has its place in `in`, and is the same bytes however often it is written there: the part of the codec's state that
 * it carries is journalled first. The fixed beginning of a launch's input is part of its first record, so it has its place too;
 * if that record has to wait, the beginning is written alone.
 */
export async function writeToAgent(
  { ports, run, send }: EffectContext,
  task: Task,
  attempt: Attempt,
  { launchId, recordId }: { readonly launchId: LaunchId; readonly recordId: RecordId },
): Promise<Command | null> {
  const harness = harnessOf(ports, task);
  const { written, offset, codec, pinned } = must(attempt.launches.current, 'it runs');
  const agent = agentContext(ports, run, task, attempt);
  const opening = written === 0 ? harness.opening(agent) : '';
  const plain = orderOf(run, task, attempt, recordId, join(agent.home, inputsDirectory));
  const order = isPrompt(run, attempt, recordId) ? { ...plain, ...(await imagesOf(ports, task, agent.home)) } : plain;
  const isPinned = pinned?.recordId === recordId;
  const made = harness.encode(isPinned ? pinned.codec : (codec ?? harness.initial(agent)), order, agent);
  if (made === 'notYet') {
    if (opening === '') return { type: 'deferred', launchId, recordId, offset };
    return { type: 'deferred', launchId, recordId, offset, end: await ports.launches.write(launchId, 0, opening) };
  }
  if (made.pinned !== null && !isPinned) {
    const noted = await send({ type: 'pinned', launchId, recordId, codec: made.pinned });
    // Another writer journalled what it carries: with that it is written next.
    if (noted.kind !== 'accepted') return null;
  }
  return {
    type: 'written',
    launchId,
    recordId,
    end: await ports.launches.write(launchId, written, opening + made.record),
  };
}

/** Below the agent's home: the results of its needs, whole. */
const inputsDirectory = 'inputs';

function inputFiles(run: Run, task: Task): HomeFile[] {
  const text = (value: Json): string => `${JSON.stringify(value, null, 2)}\n`;
  const files = inputsOf(run, task).map(({ name, value }) => {
    return { path: join(inputsDirectory, `${name}.json`), text: text(value) };
  });
  if (task.integration.conflict === null) return files;
  return [...files, { path: conflictFile, text: text(conflictValue(run, task, task.integration.conflict)) }];
}

export function harnessOf(ports: Ports, task: Task): Harness {
  return must(ports.harness(task.spec.harness), `harness ${task.spec.harness} was checked on submission`);
}
