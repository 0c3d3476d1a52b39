// Builds dist/: bundled sources and the assets beside them. Does nothing when no input changed. Builds
// aside and renames, under a lock, so that whoever runs dist/ sees the old build or the new, never half.
import { createHash } from 'node:crypto';
import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runQuietly } from './command.mjs';
import { withLock } from './lock.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const source = join(root, 'src');
const dist = join(root, 'dist');
const stampName = '.stamp';
const asidePrefix = '.dist-';

if (!upToDate(inputsHash())) {
  await withLock(join(root, '.cache', 'build.lock'), async () => {
    const hash = inputsHash();
    if (!upToDate(hash)) await build(hash);
  });
}

async function build(hash) {
  for (const name of readdirSync(root)) {
    // Left by a build that died; only the holder of the lock makes these.
    if (name.startsWith(asidePrefix)) rmSync(join(root, name), { recursive: true, force: true });
  }
  // As deep as dist itself, so that the source maps stay right after the rename.
  const aside = join(root, `${asidePrefix}${process.pid}`);
  try {
    // Only now: most often there is nothing to build.
    const { bundle } = await import('./bundle.mjs');
    const bundled = await bundle({ root, dir: aside, external: Object.keys(packageFile().dependencies) });
    writeFileSync(join(aside, 'licences.txt'), licencesOf(bundled));
    await declare(aside);
  } catch (error) {
    rmSync(aside, { recursive: true, force: true });
    process.stderr.write(`${error.message}\nbuild: it failed; dist/ is unchanged.\n`);
    process.exitCode = 1;
    return;
  }
  for (const file of sourceFiles()) {
    if (!file.endsWith('.ts')) cpSync(file, join(aside, relative(source, file)));
  }
  chmodSync(join(aside, 'main.cjs'), 0o755);
  writeFileSync(join(aside, stampName), hash);
  replaceDist(aside);
}

/** The types that plans in TypeScript are checked by. */
async function declare(dir) {
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const tsc = await runQuietly(process.execPath, [compiler, '-p', 'tsconfig.build.json', '--outDir', dir], {
    cwd: root,
  });
  if (!tsc.ok) throw new Error(tsc.output);
}

/** Of the packages that became part of the build, as their licences ask. */
function licencesOf(packages) {
  return packages.map((name) => `${name}\n\n${readFileSync(licenceFile(name), 'utf8').trim()}\n`).join('\n\n');
}

function licenceFile(name) {
  const folder = join(root, 'node_modules', name);
  return join(
    folder,
    readdirSync(folder).find((file) => /^licen[cs]e/i.test(file)),
  );
}

function packageFile() {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
}

function replaceDist(aside) {
  const old = join(root, `${asidePrefix}old-${process.pid}`);
  if (existsSync(dist)) renameSync(dist, old);
  renameSync(aside, dist);
  rmSync(old, { recursive: true, force: true });
}

function upToDate(hash) {
  const stamp = join(dist, stampName);
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === hash;
}

function inputsHash() {
  const hash = createHash('sha256');
  const settings = ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json'];
  const own = ['build.mjs', 'bundle.mjs', 'command.mjs', 'one-file.mjs'].map((name) => join(root, 'scripts', name));
  for (const file of [...settings.map((name) => join(root, name)), ...own, ...sourceFiles()]) {
    const content = readFileSync(file);
    hash.update(`${relative(root, file)}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

function sourceFiles() {
  return readdirSync(source, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
