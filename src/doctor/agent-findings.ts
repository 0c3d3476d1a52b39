// Findings about agents: program, version, credential, stall windows.

import { credentialWords, type Logins } from '../wire/login-state.ts';
import type { LoginView } from '../wire/status-views.ts';
import type { AgentState, Diagnosis, Finding, InstalledAgent } from './finding.ts';

/** `daemon`: the credentials of the running daemon; null without one. */
export async function agentFindings(
  { agents, stalls, strangers }: Diagnosis,
  logins: Logins,
  daemon: readonly LoginView[] | null,
): Promise<readonly Finding[]> {
  const found = await Promise.all(agents.map((agent) => installedFindings(agent, logins, daemon)));
  return [
    {
      name: 'scripted',
      required: false,
      state: 'ok',
      says: 'The scripted agent is built in and calls no model.',
      fix: null,
    },
    ...found.flat(),
    stallFinding(stalls),
    ...strangerFindings(strangers),
  ];
}

async function installedFindings(
  agent: InstalledAgent,
  logins: Logins,
  daemon: readonly LoginView[] | null,
): Promise<readonly Finding[]> {
  const { harness } = agent;
  const state = await agent.look();
  const runs = state.kind === 'tested' || state.kind === 'untested';
  const found = programFinding(agent, state);
  if (!runs || !logins.harnesses.includes(harness)) return [found];
  const told = daemon?.find((each) => each.harness === harness) ?? null;
  return [found, credentialFinding(logins.view(harness), told, logins.path(harness))];
}

export function programFinding(agent: InstalledAgent, state: AgentState): Finding {
  const { harness: name, title, binary, install, update, variable } = agent;
  const missing = (says: string, fix: string): Finding => ({ name, required: false, state: 'missing', says, fix });
  const ok = (says: string): Finding => ({ name, required: false, state: 'ok', says, fix: null });
  switch (state.kind) {
    case 'absent':
      return missing(
        `${title} ("${binary}") is not on the PATH.`,
        `Install it with \`${install}\`, or name its program with ${variable}.`,
      );
    case 'broken':
      return missing(`${title} does not work: ${state.why}.`, `Run \`${binary} --version\` to see the error.`);
    case 'tooOld':
      return missing(
        `${title} ${state.says} is too old: ${state.tested[0]} is the oldest version known to work.`,
        `Run \`${update}\`, or install a newer one.`,
      );
    case 'untested':
      return ok(`${title} ${state.says}. Signalbox was tested with ${state.tested.join(' and ')}.`);
    case 'tested':
      return ok(`${title} ${state.says}, a tested version.`);
  }
}

/** `here`: the credentials of a daemon started from this terminal; `told`: those of the running one. */
export function credentialFinding(here: LoginView, told: LoginView | null, path: string): Finding {
  const common = { name: 'credential', required: false };
  const view = told ?? here;
  const says = `${credentialWords(view, path, told === null ? 'this terminal' : 'the running daemon')}.`;
  if (view.credential !== null) return { ...common, state: 'ok', says, fix: null };
  if (told !== null && here.credential?.source === 'environment') {
    const fix = `${here.credential.variable} is set here, but the daemon was started without it: run \`signalbox down\` and try again.`;
    return { ...common, state: 'missing', says, fix };
  }
  const fix = view.flaw === null ? `Run \`signalbox login ${view.harness}\`.` : 'Fix that and run doctor again.';
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
