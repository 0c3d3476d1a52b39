// The types of Codex that the harness uses are those of its program. A newer program than the tested one is compared by
// SIGNALBOX_CODEX=<path> npm run test:agents.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { codexTested } from '../../src/harness/codex/version.ts';
import { installed, programs, withoutProgram } from '../model-server/agent-programs.ts';
import { root } from '../source-files.ts';

interface ProtocolModule {
  protocolOf(binary: string): string;
}

it('the types that the harness uses are those of the program [HAR-31]', { timeout: 6 * 60_000 }, async ({ skip }) => {
  const found = await installed(programs.codex(codexTested.at(-1) ?? ''));
  if (found.kind === 'missing') return withoutProgram(skip, found.why);
  const { protocolOf } = (await import(pathToFileURL(join(root, 'scripts/codex-protocol.mjs')).href)) as ProtocolModule;
  const pinned = readFileSync(join(root, 'src/harness/codex/protocol.ts'), 'utf8');
  const types = (text: string): string => text.split('\n').slice(1).join('\n');
  for (const binary of [found.binary, process.env['SIGNALBOX_CODEX']]) {
    if (binary !== undefined) expect(types(formatted(protocolOf(binary))), binary).toBe(types(pinned));
  }
});

/** As the file is kept. */
function formatted(input: string): string {
  const biome = join(root, 'node_modules/.bin/biome');
  return execFileSync(biome, ['format', '--stdin-file-path=protocol.ts'], { cwd: root, input, encoding: 'utf8' });
}
