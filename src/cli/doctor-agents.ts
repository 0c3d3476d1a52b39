// What doctor finds out about the agents that can be run here. Of a credential it says whether there is one, and never
// more.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Diagnosis, Finding } from './finding.ts';
import { probe } from './probe.ts';

const versionMaxMs = 20_000;
const credentials = ['ANTHROPIC_API_KEY', 'CLAUDE_CODE_OAUTH_TOKEN'] as const;

export async function agentFindings({ claude }: Diagnosis): Promise<readonly Finding[]> {
  const scripted: Finding = {
    name: 'scripted agent',
    vital: false,
    state: 'ok',
    says: 'It comes with Signalbox and asks no model.',
    mend: null,
  };
  const found = await claudeFinding(claude);
  return found.state === 'ok' ? [scripted, found, credentialFinding(claude.env)] : [scripted, found];
}

async function claudeFinding({ binary, env }: Diagnosis['claude']): Promise<Finding> {
  const common = { name: 'claude', vital: false };
  // A home of its own, and no credential: it is only asked for its version.
  const home = mkdtempSync(join(tmpdir(), 'signalbox-doctor-'));
  try {
    const own = { PATH: env['PATH'] ?? '', HOME: home, CLAUDE_CONFIG_DIR: home };
    const told = await probe(binary, ['--version'], own, versionMaxMs);
    if (told.kind === 'said') return { ...common, state: 'ok', says: `Claude Code ${told.text}.`, mend: null };
    if (told.kind === 'failed') {
      const mend = `Run \`${binary} --version\` and see.`;
      return { ...common, state: 'missing', says: `Claude Code does not work: ${told.why}.`, mend };
    }
    const mend = 'Install Claude Code, or name its binary with SIGNALBOX_CLAUDE.';
    return { ...common, state: 'missing', says: `Claude Code ("${binary}") is not on the PATH.`, mend };
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function credentialFinding(env: Readonly<Record<string, string>>): Finding {
  const common = { name: 'credential', vital: false };
  const name = credentials.find((each) => (env[each] ?? '') !== '');
  if (name !== undefined) return { ...common, state: 'ok', says: `${name} is set.`, mend: null };
  const says = 'No credential for Claude Code is in the environment: its agents would fail to log in.';
  return { ...common, state: 'missing', says, mend: `Set ${credentials.join(' or ')} where the daemon is started.` };
}
