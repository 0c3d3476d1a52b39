// Bundles the sources into the few programs that are run by their path. Loading two hundred small files took longer than
// running what is in them. Whether types agree is for the linter.
import { join } from 'node:path';
import { rolldown } from 'rolldown';

/** Few files and large ones, since each costs more than the code in it; a group takes along what it needs. */
const groups = [
  { name: 'start', test: /\/src\/(?!main\.ts$)|\/node_modules\//, tags: ['$initial'] },
  { name: 'common', test: /\/src\/(std\/|cli\/probe\.ts$|wire\/(?!requests\.ts$))/ },
  // What plans need of the model too: in the daemon's file every `run` would load that.
  { name: 'model', test: /\/src\/model\/\w+\/(reference|prices|price-table)\.ts$/ },
  { name: 'ps', test: /\/src\/cli\/ps\.ts$/ },
  { name: 'daemon', test: /\/src\/(daemon|server\/log)\.ts$/ },
  { name: 'cli', test: /\/src\/cli\/(?!dry-run|find-roles|load-plan|plan-|roles|run-plan)/ },
  { name: 'requests', test: /\/src\/wire\/requests\.ts$|\/node_modules\/zod\// },
  { name: 'plan', test: /\/src\/(cli|plan)\// },
];

/** Run by people or by other parts: their places are relied on, see src/std/built-file.ts. */
const programs = [
  // Packages for those who write plans in TypeScript; here loading each from one file is faster.
  { name: 'main', codeSplitting: { groups }, inline: ['zod', 'yaml'] },
  { name: 'signalbox', codeSplitting: false },
  { name: 'store/sqlite/worker', codeSplitting: false },
  { name: 'harness/scripted/agent', codeSplitting: false },
];

/** `external`: packages that are found at run time. All others become part of the programs; their names are returned. */
export async function bundle({ root, dir, external }) {
  const modules = [];
  for (const { name, codeSplitting, inline = [] } of programs) {
    const apart = external.filter((name) => !inline.includes(name));
    const program = await rolldown({
      input: { [name]: join(root, 'src', `${name}.ts`) },
      cwd: root,
      platform: 'node',
      external: [/^node:/, ...apart.map((name) => new RegExp(`^${name}(/|$)`))],
      // That verbs are loaded when they are called is of use also where they share a file.
      checks: { ineffectiveDynamicImport: false },
    });
    const { output } = await program.write({
      dir,
      format: 'esm',
      entryFileNames: '[name].js',
      chunkFileNames: `${name}-[name].js`,
      sourcemap: true,
      codeSplitting,
    });
    await program.close();
    modules.push(...output.flatMap(({ moduleIds = [] }) => moduleIds));
  }
  const packages = modules.map((file) => /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1]);
  return [...new Set(packages)].filter((name) => name !== undefined).sort();
}
