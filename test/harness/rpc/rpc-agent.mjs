// An agent that speaks JSON-RPC in lines: a thread id only when it is asked for one, a turn id with every turn, questions to its
// host as requests of its own. It acts out the steps of a script instead of asking a model. Run by the test harness beside it.

import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';

const home = process.env.HOME;
const asks = process.argv.includes('--ask');
const sessionFile = join(home, 'thread.json');

let initialized = false;
let brake = false;
let tools = [];
let thread = null;
let turn = null;
let turns = 0;
let asked = 0;
let request = null;
/** Inputs that wait for the next step, and what is to be done with answers of the host, by id. */
const queue = [];
const waiting = new Map();

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const notify = (method, params) => send({ method, params });
const refuse = (id, message) => send({ id, error: { code: -32600, message } });

createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line);
  if (message.method === undefined) {
    waiting.get(message.id)?.(message.result);
    waiting.delete(message.id);
    return;
  }
  const { id, method, params = {} } = message;
  if (method === 'initialize') {
    initialized = true;
    ({ brake = false, tools = [] } = params);
    return send({ id, result: {} });
  }
  if (!initialized) return refuse(id, 'not initialized');
  if (method === 'thread/start' || method === 'thread/resume') return openThread(id, params.threadId ?? null);
  if (method === 'session/end') process.exit(0);
  if (thread === null || params.threadId !== thread.id) return refuse(id, `no thread ${params.threadId}`);
  if (method === 'turn/start') {
    queue.push({ id, text: params.input });
    if (turn === null) void act();
    return;
  }
  if (method !== 'turn/interrupt') return refuse(id, `no method ${method}`);
  if (turn === null || params.turnId !== turn.id) return refuse(id, `turn ${params.turnId} is over`);
  turn.stop.abort();
  send({ id, result: {} });
});

function openThread(id, wanted) {
  if (wanted !== null) {
    const kept = existsSync(sessionFile) ? JSON.parse(readFileSync(sessionFile, 'utf8')) : null;
    if (kept?.id !== wanted) return refuse(id, `no thread ${wanted}`);
    thread = kept;
  } else {
    thread = { id: `thread-${process.pid}-${Date.now()}`, done: 0, refused: 0, over: false, requests: 0 };
  }
  save();
  send({ id, result: { thread: { id: thread.id } } });
}

function save() {
  mkdirSync(home, { recursive: true });
  writeFileSync(`${sessionFile}.tmp`, JSON.stringify(thread));
  renameSync(`${sessionFile}.tmp`, sessionFile);
}

/** Answered when it is taken up: between two steps. */
function readInput() {
  for (const { id } of queue.splice(0)) send({ id, result: { turn: { id: turn.id } } });
}

async function act() {
  turns += 1;
  turn = {
    id: `turn-${process.pid}-${turns}`,
    stop: new AbortController(),
    text: '',
    output: undefined,
    used: [],
    braked: false,
  };
  readInput();
  let failure = null;
  const script = JSON.parse(
    existsSync(join(home, 'script.json')) ? readFileSync(join(home, 'script.json'), 'utf8') : '[]',
  );
  try {
    while (!thread.over && thread.done < script.length && !turn.braked) {
      await doStep(script[thread.done]);
      thread.done += 1;
      thread.refused = 0;
      save();
      readInput();
    }
    thread.over = thread.done >= script.length;
  } catch (error) {
    failure = turn.stop.signal.aborted
      ? { reason: 'interrupted', message: 'interrupted' }
      : { reason: error.reason ?? 'broken', message: error.message };
    if (failure.reason === 'interrupted') thread.over = true;
  }
  closeRequest();
  save();
  const { id, text, output, used } = turn;
  turn = null;
  const completed = { turnId: id, usage: used, ...(output === undefined ? {} : { output }) };
  notify(
    'turn/completed',
    failure === null ? { ...completed, status: 'completed', text } : { ...completed, status: 'failed', failure },
  );
  if (queue.length > 0) void act();
}

async function doStep(step) {
  turn.stop.signal.throwIfAborted();
  if ('say' in step) {
    openRequest();
    turn.text = step.say;
    return notify('item/text', { turnId: turn.id, text: step.say });
  }
  if ('usage' in step) return void Object.assign(openRequest(), step.usage);
  if ('output' in step) {
    openRequest();
    turn.output = step.output;
    return;
  }
  if ('refuse' in step) return beRefused(step.refuse);
  if ('hang' in step) return forever();
  if ('write' in step) return call('Write', { file_path: step.write.path }, () => put(step.write));
  if ('run' in step) return call('Bash', { command: step.run }, () => shell(step.run));
  if ('waitFor' in step) {
    const command = `until [ -e '${step.waitFor}' ]; do sleep 0.05; done`;
    return call('Bash', { command }, () => shell(command));
  }
  if ('wait' in step) return new Promise((resolve) => setTimeout(resolve, step.wait));
  if ('call' in step) return call(step.call.tool, step.call.input, () => callHost(step.call));
  throw new Error(`no such step: ${JSON.stringify(step)}`);
}

/** One round: the request to the model that asked for the call ends with its result. */
async function call(tool, input, perform) {
  openRequest();
  turn.text = '';
  asked += 1;
  const callId = `call-${process.pid}-${asked}`;
  notify('item/toolCall', { turnId: turn.id, callId, tool, input });
  const answer =
    asks && !tool.startsWith('mcp__')
      ? await askHost('permission/request', { callId, tool, input })
      : { behavior: 'allow' };
  const result = answer.behavior === 'allow' ? await perform() : { isError: true, text: answer.message };
  notify('item/toolResult', { turnId: turn.id, callId, ...result });
  closeRequest();
  if (!brake) return;
  const { goOn } = await askHost('round/check', { callId });
  turn.braked = !goOn;
}

function askHost(method, params) {
  const { signal } = turn.stop;
  asked += 1;
  const id = asked;
  send({ id, method, params });
  return new Promise((resolve, reject) => {
    waiting.set(id, resolve);
    signal.addEventListener('abort', () => {
      if (!waiting.delete(id)) return;
      notify('request/cancelled', { id });
      reject(signal.reason);
    });
  });
}

function callHost({ tool, input }) {
  const name = tool.replace(/^mcp__signalbox__/, '');
  if (!tools.includes(name)) return { isError: true, text: `no such tool: ${tool}` };
  return askHost('tool/call', { tool: name, arguments: input });
}

function put({ path, text }) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return { isError: false, text: 'written' };
}

function shell(command) {
  const { signal } = turn.stop;
  return new Promise((resolve, reject) => {
    const child = spawn('sh', ['-c', command], { stdio: 'ignore', detached: true });
    signal.addEventListener('abort', () => {
      process.kill(-child.pid, 'SIGKILL');
      reject(signal.reason);
    });
    child.on('exit', (status) => resolve({ isError: status !== 0, text: `status ${status}` }));
  });
}

function beRefused({ status, times }) {
  const tries = 2;
  for (let i = 0; i < tries && thread.refused < times; i++) {
    thread.refused += 1;
    if (i + 1 < tries)
      notify('service/retry', { attempt: i + 1, attemptsMax: tries - 1, delayMs: 0, httpStatus: status });
    else
      throw Object.assign(new Error(`the service answered ${status}`), {
        reason: status === 500 ? 'unavailable' : 'rate-limit',
      });
  }
}

function forever() {
  const { signal } = turn.stop;
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
}

function openRequest() {
  request ??= { input_tokens: 10, output_tokens: 5 };
  return request;
}

/** It is in the agent's own record before anybody is told of it. */
function closeRequest() {
  if (request === null) return;
  thread.requests += 1;
  const { input_tokens: input, output_tokens: output } = request;
  const entry = { id: `request-${thread.requests}`, input, output, costMicroUsd: input + output };
  appendFileSync(join(home, 'requests.jsonl'), `${JSON.stringify(entry)}\n`);
  turn.used.push(entry);
  request = null;
}
