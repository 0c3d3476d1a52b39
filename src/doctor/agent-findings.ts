// What doctor finds out about the agents that can be run here: program, version, credential, and what is missing.

import { credentialWords, type Logins } from '../wire/login-state.ts';
import type { LoginView } from '../wire/status-views.ts';
import type { AgentState, Diagnosis, Finding } from './finding.ts';

/** `daemon`: what the running daemon's agents have; null without one. */
export async function agentFindings(
  { claude, stalls, strangers }: Diagnosis,
  logins: Logins,
  daemon: readonly LoginView[] | null,
): Promise<readonly Finding[]> {
  const state = await claude.look();
  const found = claudeFinding(state, claude.binary);
  const runs = state.kind === 'tested' || state.kind === 'untested';
  const told = daemon?.find(({ harness }) => harness === 'claude') ?? null;
  const credential = credentialFinding(logins.view('claude'), told, logins.path('claude'));
  return [
    { name: 'scripted', vital: false, state: 'ok', says: 'It comes with Signalbox and asks no model.', mend: null },
    found,
    ...(runs ? [credential] : []),
    stallFinding(stalls),
    ...strangerFindings(strangers),
  ];
}

export function claudeFinding(state: AgentState, binary: string): Finding {
  const common = { name: 'claude', vital: false };
  switch (state.kind) {
    case 'absent':
      return {
        ...common,
        state: 'missing',
        says: `Claude Code ("${binary}") is not on the PATH.`,
        mend: 'Install it with `npm install -g @anthropic-ai/claude-code`, or name its program with SIGNALBOX_CLAUDE.',
      };
    case 'broken':
      return {
        ...common,
        state: 'missing',
        says: `Claude Code does not work: ${state.why}.`,
        mend: `Run \`${binary} --version\` and see.`,
      };
    case 'tooOld':
      return {
        ...common,
        state: 'missing',
        says: `Claude Code ${state.says} is too old: ${state.tested[0]} is the oldest that is known to work.`,
        mend: 'Run `claude update`, or install a newer one.',
      };
    case 'untested':
      return {
        ...common,
        state: 'ok',
        says: `Claude Code ${state.says}. Signalbox was tested with ${state.tested.join(' and ')}; others may differ.`,
        mend: null,
      };
    case 'tested':
      return { ...common, state: 'ok', says: `Claude Code ${state.says}, a version that was tested.`, mend: null };
  }
}

/** `here`: what a daemon started from this terminal would find; `told`: what the running one has. */
export function credentialFinding(here: LoginView, told: LoginView | null, path: string): Finding {
  const common = { name: 'credential', vital: false };
  const view = told ?? here;
  const says = `${credentialWords(view, path, told === null ? 'this terminal' : 'the running daemon')}.`;
  if (view.credential !== null) return { ...common, state: 'ok', says, mend: null };
  if (told !== null && here.credential?.source === 'environment') {
    const mend = `${here.credential.variable} is set here, but the daemon was started without it: \`signalbox down\`, then go on.`;
    return { ...common, state: 'missing', says, mend };
  }
  const mend = view.flaw === null ? '`signalbox login claude` says what it needs.' : 'Do that, and look again.';
  return { ...common, state: 'missing', says, mend };
}

export function stallFinding(stalls: Diagnosis['stalls']): Finding {
  const each = stalls.map(
    ({ harness, silence, toolSilence }) => `${harness} ${silence} min (${toolSilence} in a tool)`,
  );
  const says = `Silence that counts as a stall: ${each.join(', ')}; run --stall and --tool-stall set it.`;
  return { name: 'stall', vital: false, state: 'ok', says, mend: null };
}

function strangerFindings(names: readonly string[]): readonly Finding[] {
  if (names.length === 0) return [];
  const says = `${names.join(', ')}: installed, no harness yet; --harness command runs any program.`;
  return [{ name: 'other agents', vital: false, state: 'ok', says, mend: null }];
}
