// Carries out one effect: reads what it needs of the state at once, asks a port, and brings the result back as a
// command. It never changes state itself, and a failure becomes a fact like any other.

import type { AgentContext, AnswerBody, Harness, LaunchOrder } from '../harness/harness.ts';
import type { AgentEvent } from '../model/agent-fact.ts';
import type { Command } from '../model/command.ts';
import type { LaunchId } from '../model/ids.ts';
import { agentOf, gateOf } from '../model/lookup.ts';
import { isMail } from '../model/mail.ts';
import type { Effect } from '../model/pending.ts';
import { renderText } from '../model/render.ts';
import type { Attempt, Gate, Run, Task } from '../model/run.ts';
import { writeSetProof } from '../model/verdict.ts';
import { AssertionFailed, must, unreachable } from '../std/assert.ts';
import { isFault } from '../std/fault.ts';
import type { Outcome } from './inbox.ts';
import type { Ports, WorkspaceOrder } from './ports.ts';
import { watchLaunch } from './watching.ts';

export interface EffectContext {
  readonly ports: Ports;
  readonly run: Run;
  readonly signal: AbortSignal;
  send(command: Command): Promise<Outcome>;
  /** What an agent says that changes nothing: news for people. */
  tell(launchId: LaunchId, event: AgentEvent): void;
}

/** Resolves when the result is in the journal; rejects only when the journal could not take it. */
export async function carryOut(effect: Effect, context: EffectContext): Promise<void> {
  let result: Command | null;
  try {
    result = await perform(effect, context);
  } catch (error) {
    if (context.signal.aborted) return;
    if (error instanceof AssertionFailed) throw error;
    result = {
      type: 'effectFailed',
      attemptId: effect.attemptId,
      effect: effect.kind,
      code: isFault(error) ? error.code : 'unexpected',
      message: error instanceof Error ? error.message : String(error),
    };
    context.ports.log.warn('effect failed', { key: effect.key, code: result.code, error: result.message });
  }
  if (result !== null) await context.send(result);
}

async function perform(effect: Effect, context: EffectContext): Promise<Command | null> {
  const { ports, run, signal } = context;
  const attempt = must(run.live.get(effect.attemptId), 'an effect belongs to a live attempt');
  const task = must(run.tasks.get(attempt.taskId), 'an attempt has a task');
  const { attemptId } = effect;
  switch (effect.kind) {
    case 'prepare': {
      const { path, base, notes } = await ports.workspaces.prepare(workspaceOrder(run, task, attempt), signal);
      return { type: 'prepared', attemptId, path, base, notes: bounded(notes) };
    }
    case 'launch': {
      const sighting = await launch(context, task, attempt);
      const process = sighting.kind === 'alive' ? sighting.identity : null;
      return { type: 'launched', launchId: effect.launchId, process };
    }
    case 'watch':
      return watchLaunch(context, harnessOf(ports, task), attempt);
    case 'write': {
      const { launchId, messageId } = effect;
      const offset = must(attempt.launch, 'it runs').written;
      const record = encode(ports, run, task, attempt, messageId);
      return { type: 'written', launchId, messageId, end: await ports.launches.write(launchId, offset, record) };
    }
    case 'signal': {
      // Noted first: its end may be noted before the call returns, and people must see why it died.
      const { launchId, rung } = effect;
      const noted = await context.send({ type: 'signalled', launchId, rung });
      if (noted.kind === 'accepted') await ports.launches.signal(launchId, rung);
      return null;
    }
    case 'save': {
      const { ref, commit, notes } = await ports.workspaces.save(workspaceOrder(run, task, attempt), signal);
      return { type: 'saved', attemptId, ref, commit, notes: bounded(notes) };
    }
    case 'prove': {
      const { path: workspace, commit, base } = attempt.workspace;
      const { checks, writes, sandbox } = task.spec;
      const writeSet = writes === null ? null : { proof: writeSetProof, globs: writes };
      const sandboxed = sandbox === 'workspace';
      const order = { attemptId, commit, workspace, checks, base, sandboxed, writeSet };
      const items = await ports.prover.prove(order, signal);
      return { type: 'proved', attemptId, items };
    }
    default:
      return unreachable(effect);
  }
}

/** What is said of a workspace goes into the record, and an agent names its files as it likes. */
function bounded(notes: readonly string[] = []): readonly string[] {
  const more = notes.length > notesMax ? [`and ${notes.length - notesMax} more notes`] : [];
  return [...notes.slice(0, notesMax).map((note) => note.slice(0, noteMax)), ...more];
}

const notesMax = 20;
const noteMax = 500;

function workspaceOrder(run: Run, task: Task, attempt: Attempt): WorkspaceOrder {
  const { id: runId, repo } = must(run.spec, 'a run that works is created');
  const { id: attemptId, n, startedAt: at } = attempt;
  const sandboxed = task.spec.sandbox === 'workspace';
  return { runId, taskId: task.spec.id, attemptId, n, repo, title: task.spec.name, at, sandboxed };
}

/** Before a session is taken up again its own record is asked what the agent has read, so that nothing is told twice. */
async function launch({ ports, run, signal, send }: EffectContext, task: Task, attempt: Attempt) {
  const harness = harnessOf(ports, task);
  const { id: launchId, resume } = must(attempt.launch, 'it launches');
  const cwd = attempt.workspace.path;
  const agent = agentContext(ports, run, task, attempt);
  const session = resume ? harness.transcript(agent, cwd) : null;
  let missing = false;
  if (session !== null) {
    const mail = agentOf(run, attempt.agentId).mail.filter(isMail);
    const lines = await ports.homes.lines(attempt.agentId, session);
    missing = lines.length === 0;
    const found = harness.delivered(
      lines,
      mail.map((message) => message.id),
    );
    if (missing || found.size > 0) await send({ type: 'found', launchId, messageIds: [...found], missing });
  }
  const order = harness.command(missing ? { ...agent, session: null, resume: false } : agent);
  const { argv, env, files = [] } = order;
  await ports.homes.prepare(attempt.agentId, files);
  const reach = agent.sandboxed === true ? await reachOf(ports, attempt, agent, order) : null;
  const place = await ports.workspaces.environment(attempt.id);
  const spec = { launchId, argv, env: { ...place, ...env }, cwd };
  return ports.launches.start(reach === null ? spec : { ...spec, reach }, signal);
}

/** Its workspace and home to write; to read, its program's own files and the objects that its checkout borrows. */
async function reachOf(ports: Ports, attempt: Attempt, agent: AgentContext, { reads = [] }: LaunchOrder) {
  const borrowed = await ports.workspaces.borrowed(attempt.id);
  return { writable: [attempt.workspace.path, agent.home], readable: [...reads, ...borrowed] };
}

function agentContext(ports: Ports, run: Run, task: Task, attempt: Attempt): AgentContext {
  const agent = agentOf(run, attempt.agentId);
  const { resume } = must(attempt.launch, 'it launches');
  const { id: agentId, session } = agent;
  return {
    agentId,
    session,
    resume: resume && session !== null,
    settings: task.spec.settings,
    home: ports.homes.path(agentId),
    sandboxed: task.spec.sandbox === 'workspace',
    asks: task.spec.permissions.ask.length + task.spec.permissions.deny.length > 0,
  };
}

function encode(ports: Ports, run: Run, task: Task, attempt: Attempt, messageId: string): string {
  const harness = harnessOf(ports, task);
  const message = must(
    agentOf(run, attempt.agentId).mail.find((each) => each.id === messageId),
    'a message that is due is in the mail',
  );
  const { body } = message;
  // What every launch begins with is part of its first record, so that it has its place once as well.
  const { written } = must(attempt.launch, 'it runs');
  const opening = written === 0 ? harness.opening(agentContext(ports, run, task, attempt)) : '';
  if (body.kind === 'record') return opening + body.record;
  if (body.kind === 'answer') {
    return opening + harness.encode({ messageId: message.id, body: answerOf(gateOf(run, body.gateId)) });
  }
  const order =
    body.kind === 'prompt' ? ({ kind: 'text', text: promptText(run, task, body.again === true) } as const) : body;
  return opening + harness.encode({ messageId: message.id, body: order });
}

function answerOf({ ask: { requestId, input }, decision }: Gate): AnswerBody {
  const { approved, message, by } = must(decision, 'an answer follows a decision');
  if (!approved) return { kind: 'deny', requestId, message: message ?? `${by} said no.`, interrupt: false };
  return { kind: 'allow', requestId, input, ...(message === null ? {} : { answer: message }) };
}

function promptText(run: Run, task: Task, again: boolean): string {
  const prompt = renderText(run, task, task.spec.prompt, null);
  return again ? `${prompt}\n\n${againNote}` : prompt;
}

const againNote =
  'You have worked on this before, and that conversation was lost. What you did is in this workspace: look at it ' +
  'first, do not begin anew, and look before you repeat a command that reaches beyond it.';

function harnessOf(ports: Ports, task: Task): Harness {
  return must(ports.harness(task.spec.harness), `harness ${task.spec.harness} was checked on submission`);
}
