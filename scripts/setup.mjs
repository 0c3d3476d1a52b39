// Makes a fresh machine ready to build and test. Says nothing when nothing is missing. Uses only what
// Node brings, because it runs before anything is installed.
import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runQuietly } from './command.mjs';
import { withLock } from './lock.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, 'node_modules');
const stamp = join(modules, '.signalbox-setup');
const nodeFloor = [20, 19];
const installTimeoutMs = 10 * 60_000;

try {
  requireNode();
  if (packagesMissing() || sandboxMissing()) {
    await withLock(join(root, '.cache', 'setup.lock'), async () => {
      // Looked at again: another process may have done it while this one waited.
      if (packagesMissing()) await installPackages();
      if (sandboxMissing()) await installSandbox();
    });
  }
} catch (error) {
  process.stderr.write(`setup: ${error.message}\n`);
  process.exitCode = 1;
}

function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > nodeFloor[0] || (major === nodeFloor[0] && minor >= nodeFloor[1])) return;
  throw new Error(`Signalbox needs Node ${nodeFloor.join('.')} or newer; this is ${process.versions.node}.`);
}

function packagesMissing() {
  return !existsSync(stamp) || readFileSync(stamp, 'utf8') !== lockHash();
}

async function installPackages() {
  if (!installedMatchesLock()) {
    process.stderr.write('setup: installing packages\n');
    rmSync(stamp, { force: true });
    // No dependency needs its install script: the SQLite binding ships its binaries.
    const npm = await runQuietly('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts'], {
      cwd: root,
      timeoutMs: installTimeoutMs,
    });
    if (!npm.ok) throw new Error(`npm ci failed:\n${npm.output}`);
  }
  writeFileSync(stamp, lockHash());
}

/** After a plain `npm install` there is no stamp, but nothing to do either. */
function installedMatchesLock() {
  const hidden = join(modules, '.package-lock.json');
  if (!existsSync(hidden)) return false;
  const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  const installed = JSON.parse(readFileSync(hidden, 'utf8')).packages;
  const versionsAgree = Object.entries(installed).every(([path, entry]) => wanted[path]?.version === entry.version);
  const nothingAbsent = Object.entries(wanted).every(
    ([path, entry]) => path === '' || entry.optional || entry.devOptional || installed[path] !== undefined,
  );
  return versionsAgree && nothingAbsent && Object.keys(installed).every((path) => existsSync(join(root, path)));
}

function lockHash() {
  const hash = createHash('sha256').update(readFileSync(join(root, 'package-lock.json')));
  return `${hash.digest('hex')} ${process.platform} ${process.arch}\n`;
}

function sandboxMissing() {
  return process.platform === 'linux' && !onPath('bwrap');
}

async function installSandbox() {
  if (process.getuid?.() === 0 && onPath('apt-get')) {
    process.stderr.write('setup: installing bubblewrap\n');
    const env = { DEBIAN_FRONTEND: 'noninteractive' };
    const limits = { env, timeoutMs: installTimeoutMs };
    const update = await runQuietly('apt-get', ['update'], limits);
    const install = await runQuietly('apt-get', ['install', '-y', 'bubblewrap'], limits);
    if (install.ok) return;
    process.stderr.write(`${update.ok ? '' : `${update.output}\n`}${install.output}\n`);
  }
  process.stderr.write(
    'setup: bwrap is missing, so agents run unconfined and stray processes of theirs may outlive a stop; ' +
      'install it with your package manager (the package is called bubblewrap).\n',
  );
}

function onPath(program) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
