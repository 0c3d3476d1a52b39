// Runs the tests and closes with one plain line, `N passed, N failed`, for whoever counts. Arguments that
// name a project choose it, `--full` chooses the full sizes (docs/testing.md); all others go to vitest as they are.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const usual = ['unit', 'conformance', 'sim', 'scenarios'];
// Attacks (`npm run test:security`) and real agent programs besides Claude Code (`npm run test:agents`); both with the full sizes.
const projects = [...usual, 'security', 'agents'];
const isFull = process.argv.includes('--full');
// A machine that is shared may need several times what docs/testing.md says of two free cores.
const timeMaxMs = (isFull ? 24 * 60 : 45) * 60_000;
const killGraceMs = 10_000;

const scratch = mkdtempSync(join(tmpdir(), 'signalbox-test-'));
try {
  const report = join(scratch, 'report.json');
  const code = await runVitest(report);
  const { passed, failed, skipped } = count(report, code);
  process.stdout.write(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`);
  process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

function runVitest(report) {
  const given = process.argv.slice(2).flatMap((argument) => {
    if (argument === '--full') return [];
    return projects.includes(argument) ? ['--project', argument] : [argument];
  });
  if (!given.includes('--project') && !isFull) given.push(...usual.flatMap((name) => ['--project', name]));
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const child = spawn(process.execPath, [vitest, 'run', ...reporters, ...given], {
    cwd: root,
    stdio: 'inherit',
    env: isFull ? { ...process.env, CHAOS: '1' } : process.env,
  });
  const limit = setTimeout(() => {
    process.stderr.write(`test: stopped after ${timeMaxMs / 60_000} minutes\n`);
    child.kill('SIGTERM');
    setTimeout(() => child.kill('SIGKILL'), killGraceMs).unref();
  }, timeMaxMs);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(limit);
      resolve(code);
    });
  });
}

function count(report, code) {
  if (!existsSync(report)) return { passed: 0, failed: 1, skipped: 0 };
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } = JSON.parse(
    readFileSync(report, 'utf8'),
  );
  // A file that cannot even be loaded holds no failed test, yet it failed.
  const broken = testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((result) => result.status === 'failed'),
  ).length;
  const failed = numFailedTests + broken;
  return {
    passed: numPassedTests,
    // Vitest also fails for errors outside every test.
    failed: code === 0 ? failed : Math.max(1, failed),
    skipped: numPendingTests + numTodoTests,
  };
}
