// Bundles the sources into the few programs that are run by their path. Loading two hundred small files took longer than
// running what is in them. Whether types agree is for the linter. Nothing is made shorter than it was written, so that a
// stack trace can be read in the file it names.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { rolldown } from 'rolldown';
import { asAscii, asFunction, loadWhenUsed } from './one-file.mjs';

/** Run by people or by other parts: their places are relied on, see src/std/built-file.ts. */
const programs = [
  { name: 'main', format: 'cjs', steps: [loadWhenUsed] },
  // All verbs and the daemon. What is imported dynamically is part of it, and is run when it is asked for. Packages that
  // those who write plans in TypeScript have installed are part of it too: loading them from here is faster.
  { name: 'app', format: 'cjs', inline: ['zod', 'yaml'], steps: [loadWhenUsed, asAscii, asFunction] },
  { name: 'signalbox', format: 'esm', steps: [] },
  { name: 'store/sqlite/worker', format: 'cjs', steps: [loadWhenUsed] },
  { name: 'harness/scripted/agent/scripted-agent', format: 'cjs', steps: [loadWhenUsed] },
];

/** `external`: packages that are found at run time. All others become part of the programs; their names are returned. */
export async function bundle({ root, dir, external }) {
  const modules = [];
  for (const { name, format, inline = [], steps } of programs) {
    const apart = external.filter((name) => !inline.includes(name));
    const program = await rolldown({
      input: { [name]: join(root, 'src', `${name}.ts`) },
      cwd: root,
      platform: 'node',
      external: [/^node:/, ...apart.map((name) => new RegExp(`^${name}(/|$)`))],
      plugins: [inlineWhenUsed(apart)],
      // That verbs are loaded when they are called is of use also where they share a file.
      checks: { ineffectiveDynamicImport: false },
    });
    const { output } = await program.generate({ format, codeSplitting: false });
    await program.close();
    const [{ code, moduleIds }] = output;
    const file = join(dir, `${name}.${format === 'cjs' ? 'cjs' : 'js'}`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(
      file,
      steps.reduce((changed, step) => step(changed), code),
    );
    modules.push(...moduleIds);
  }
  const packages = modules.map((file) => /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1]);
  return [...new Set(packages)].filter((name) => name !== undefined).sort();
}

/**
 * `createRequire(import.meta.url)('name')` loads a package when it is first used. Where the package becomes part of the program,
 * the bundler has to see it: as a plain `require`, which runs the module at that moment too.
 */
function inlineWhenUsed(external) {
  return {
    name: 'inline-when-used',
    transform(code, id) {
      if (id.includes('/node_modules/')) return null;
      return code.replace(/createRequire\(import\.meta\.url\)\('([^']+)'\)/g, (whole, name) =>
        external.some((other) => name === other || name.startsWith(`${other}/`)) ? whole : `require('${name}')`,
      );
    },
  };
}
