// Deliberately broken engines. Each is one small change to the compiled sources; the simulator must catch every one.
// A mutant whose text is no longer there fails as well: it has to follow the code.

import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface Mutant {
  readonly name: string;
  /** Below src/, compiled. */
  readonly file: string;
  readonly find: string;
  readonly put: string;
}

export const mutants: readonly Mutant[] = [
  {
    name: 'effects start before their intent is stored',
    file: 'engine/tick.js',
    find: 'if (draft.parts.size > 0 && !(await store(state, draft)))',
    put: 'startEffects(state, now); if (draft.parts.size > 0 && !(await store(state, draft)))',
  },
  {
    name: 'orders are answered before they are stored',
    file: 'engine/tick.js',
    find: 'if (draft.parts.size > 0 && !(await store(state, draft)))',
    put: 'batch.forEach((entry, i) => entry.answer(answers[i])); if (draft.parts.size > 0 && !(await store(state, draft)))',
  },
  {
    name: 'the fence is ignored',
    file: 'store/memory/memory-journal.js',
    find: 'if (head !== expected)',
    put: 'if (false)',
  },
  {
    name: 'a copy in memory is trusted after a failed append',
    file: 'engine/tick.js',
    find: 'state.doubtful.add(stream);\n    const append',
    put: 'void stream;\n    const append',
  },
  {
    name: 'copies of different moments are used together',
    file: 'engine/copies.js',
    find: 'if (agrees(ledger, copies.quarantined))',
    put: 'if (true)',
  },
  {
    name: 'a failed attempt is not retried and not settled',
    file: 'model/settle.js',
    find: "all.events.push({ type: 'task.delayed', taskId: task.spec.id, delayMs });",
    put: 'void delayMs;',
  },
  {
    name: 'one attempt too many',
    file: 'model/settle.js',
    find: 'made >= task.spec.retry.attemptsMax',
    put: 'made > task.spec.retry.attemptsMax',
  },
  {
    name: 'reasons that no retry cures are retried',
    file: 'model/settle.js',
    find: '!curedByRetry[failure.reason] ||',
    put: '',
  },
  {
    name: 'a failed attempt keeps its slot',
    file: 'model/host.js',
    find: "if (event.type === 'attempt.ended')",
    put: "if (event.type === 'attempt.ended' && event.verdict.kind === 'ok')",
  },
  {
    name: 'attempts start without a free slot',
    file: 'model/dispatch.js',
    find: 'if (freeSlots(host) === 0)',
    put: 'if (host.slots === 0)',
  },
  {
    name: 'a task does not wait for its needs',
    file: 'model/evolve.js',
    find: 'if (task.unmetNeeds === 0)',
    put: 'if (task.unmetNeeds >= 0)',
  },
  {
    name: 'dependants of a failed task are forgotten',
    file: 'model/settle.js',
    find: "if (outcome.kind !== 'succeeded')\n        skipDependants(run, task, all);",
    put: '',
  },
  {
    name: 'success without the proof of its checks',
    file: 'model/decide-attempt.js',
    find: 'needsProof(taskOf(run, attempt.taskId).spec)',
    put: 'false',
  },
  {
    name: 'exit status 0 counts as success',
    file: 'model/verdict.js',
    find: 'if (status === null)\n        return failed(',
    put: "if (status === 0) return { kind: 'ok' };\n if (status === null)\n        return failed(",
  },
  {
    name: 'a lost process counts as ended',
    file: 'engine/watching.js',
    find: "const status = end.kind === 'ended' ? end.status : null;",
    put: "const status = end.kind === 'ended' ? end.status : 0;",
  },
  {
    name: 'output is accepted from any offset',
    file: 'model/decide-output.js',
    find: 'if (command.from !== launch.offset)',
    put: 'if (false)',
  },
  {
    name: 'the offset is not kept',
    file: 'model/evolve-attempt.js',
    find: 'launch.offset = event.offset;',
    put: '',
  },
  {
    name: 'an acknowledged message is dropped before its place is known',
    file: 'model/states.js',
    find: "queued: { written: 'written', delivered: 'acked'",
    put: "queued: { written: 'written', delivered: 'delivered'",
  },
  {
    name: 'a signal is sent that the record does not show',
    file: 'engine/effects.js',
    find: "await context.send({ type: 'signalled', launchId, rung })",
    put: "{ kind: 'accepted' }",
  },
  {
    name: 'the ladder has no KILL',
    file: 'model/stopping.js',
    find: "return { rung: 'kill', from: signalled.at",
    put: "return { rung: 'term', from: signalled.at",
  },
  {
    name: 'the run does not settle with its last task',
    file: 'model/settle.js',
    find: 'if (run.unsettled === all.settled.size)',
    put: 'if (false)',
  },
  {
    name: 'nobody looks at the clock',
    file: 'engine/tick.js',
    find: 'for (const wake of state.wakeAt.values())',
    put: 'for (const wake of [])',
  },
  {
    name: 'tasks start while the run is being stopped',
    file: 'model/settle.js',
    find: "if (failure.reason === 'stopped' || run.state === 'stopping')",
    put: 'if (false)',
  },
  {
    name: 'an unknown cost is zero',
    file: 'harness/stream-json/result.js',
    find: 'known ? cost - before.costMicroUsd : null',
    put: 'known ? cost - before.costMicroUsd : 0',
  },
  {
    name: 'paths that somebody writes are given away',
    file: 'model/interlock.js',
    find: 'if (path !== null)',
    put: 'if (false)',
  },
  {
    name: 'who waits for paths is forgotten',
    file: 'model/evolve-attempt.js',
    find: 'letPass(run,',
    put: 'void (run,',
  },
  {
    name: 'a question is decided twice',
    file: 'model/decide-gate.js',
    find: 'if (gate.decision !== null)',
    put: 'if (false)',
  },
  {
    name: 'what a person refused is allowed',
    file: 'engine/effects.js',
    find: 'if (!approved)',
    put: 'if (false)',
  },
  {
    name: 'a question outlives the process that asked it',
    file: 'model/decide-attempt.js',
    find: 'events.push(...expireGates(',
    put: 'void (expireGates(',
  },
  {
    name: 'time limits are ignored',
    file: 'model/decide-order.js',
    find: 'if (timeoutMs === null ||',
    put: 'if (timeoutMs !== undefined ||',
  },
  {
    name: 'effects of an attempt that failed to be saved are lost',
    file: 'model/decide-attempt.js',
    find: 'events.push(finish(attempt, workVerdict(attempt, turn, status)));',
    put: 'void finish;',
  },
];

export type MutantOutcome =
  | { readonly kind: 'caught'; readonly by: string }
  | { readonly kind: 'survived' }
  | { readonly kind: 'broken'; readonly how: string }
  | { readonly kind: 'stale' };

/** Whether the text a mutant changes is in the compiled tree exactly once. */
export function isCurrent(mutant: Mutant, compiled: string): boolean {
  return readFileSync(join(compiled, 'src', mutant.file), 'utf8').split(mutant.find).length === 2;
}

/** `compiled` is the compiled tree of src and test/sim; it is copied, never changed. */
export function runMutant(mutant: Mutant, compiled: string, seeds: number): MutantOutcome {
  const dir = mkdtempSync(join(dirname(compiled), 'mutant-'));
  try {
    cpSync(compiled, dir, { recursive: true });
    const path = join(dir, 'src', mutant.file);
    const text = readFileSync(path, 'utf8');
    if (!isCurrent(mutant, compiled)) return { kind: 'stale' };
    writeFileSync(
      path,
      text.replace(mutant.find, () => mutant.put),
    );
    const main = join(dir, 'test/sim/main.js');
    const run = spawnSync(process.execPath, [main, '--seeds', String(seeds), '--seconds', '60'], {
      encoding: 'utf8',
      timeout: 120_000,
      maxBuffer: 64 << 20,
    });
    if (run.status === 0) return { kind: 'survived' };
    // Only a named violation counts: a mutant that merely does not run shows nothing.
    const why = run.stderr.split('\n').find((line) => /^\s*\[\d\]/.test(line));
    if (run.status !== 3 || why === undefined) return { kind: 'broken', how: run.stderr.slice(0, 500) };
    return { kind: 'caught', by: why.trim().slice(0, 120) };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
