// Findings about agents: program, version, credential, stall windows.

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
    {
      name: 'scripted',
      required: false,
      state: 'ok',
      says: 'The scripted agent is built in and calls no model.',
      fix: null,
    },
    found,
    ...(runs ? [credential] : []),
    stallFinding(stalls),
    ...strangerFindings(strangers),
  ];
}

export function claudeFinding(state: AgentState, binary: string): Finding {
  const common = { name: 'claude', required: false };
  switch (state.kind) {
    case 'absent':
      return {
        ...common,
        state: 'missing',
        says: `Claude Code ("${binary}") is not on the PATH.`,
        fix: 'Install it with `npm install -g @anthropic-ai/claude-code`, or name its program with SIGNALBOX_CLAUDE.',
      };
    case 'broken':
      return {
        ...common,
        state: 'missing',
        says: `Claude Code does not work: ${state.why}.`,
        fix: `Run \`${binary} --version\` to see the error.`,
      };
    case 'tooOld':
      return {
        ...common,
        state: 'missing',
        says: `Claude Code ${state.says} is too old: ${state.tested[0]} is the oldest version known to work.`,
        fix: 'Run `claude update`, or install a newer one.',
      };
    case 'untested':
      return {
        ...common,
        state: 'ok',
        says: `Claude Code ${state.says}. Signalbox was tested with ${state.tested.join(' and ')}.`,
        fix: null,
      };
    case 'tested':
      return { ...common, state: 'ok', says: `Claude Code ${state.says}, a tested version.`, fix: null };
  }
}

/** `here`: what a daemon started from this terminal would find; `told`: what the running one has. */
export function credentialFinding(here: LoginView, told: LoginView | null, path: string): Finding {
  const common = { name: 'credential', required: false };
  const view = told ?? here;
  const says = `${credentialWords(view, path, told === null ? 'this terminal' : 'the running daemon')}.`;
  if (view.credential !== null) return { ...common, state: 'ok', says, fix: null };
  if (told !== null && here.credential?.source === 'environment') {
    const fix = `${here.credential.variable} is set here, but the daemon was started without it: run \`signalbox down\` and try again.`;
    return { ...common, state: 'missing', says, fix };
  }
  const fix = view.flaw === null ? 'Run `signalbox login claude`.' : 'Fix that and run doctor again.';
  return { ...common, state: 'missing', says, fix };
}

export function stallFinding(stalls: Diagnosis['stalls']): Finding {
  const each = stalls.map(
    ({ harness, silence, toolSilence }) => `${harness} ${silence} min (${toolSilence} in a tool)`,
  );
  const says = `Silence that counts as a stall: ${each.join(', ')}; set with run --stall and --tool-stall.`;
  return { name: 'stall', required: false, state: 'ok', says, fix: null };
}

function strangerFindings(names: readonly string[]): readonly Finding[] {
  if (names.length === 0) return [];
  const says = `${names.join(', ')}: installed, but no harness yet; --harness command runs any program.`;
  return [{ name: 'other agents', required: false, state: 'ok', says, fix: null }];
}
