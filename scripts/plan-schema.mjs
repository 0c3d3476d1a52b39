// Writes docs/plan.schema.json, by which editors complete and check plan files, from the schema that reads them. With
// --check it only says whether the file is up to date.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { z } from 'zod';

const target = fileURLToPath(new URL('../docs/plan.schema.json', import.meta.url));
const { planFile } = await imported(fileURLToPath(new URL('../src/plan/file/plan-file.ts', import.meta.url)));

const { $schema, ...schema } = z.toJSONSchema(planFile, { io: 'input', target: 'draft-7' });
// Draft 7: what editors know best.
const titled = { $schema, title: 'A plan of Signalbox (*.plan.yaml)', ...schema };
const text = `${JSON.stringify(titled, null, 2)}\n`;

if (!process.argv.includes('--check')) writeFileSync(target, text);
else if (!existsSync(target) || readFileSync(target, 'utf8') !== text) {
  process.stderr.write('docs/plan.schema.json is out of date: run node scripts/plan-schema.mjs.\n');
  process.exitCode = 1;
}

/** A module of the sources: Node 20 runs no TypeScript. */
async function imported(input) {
  const file = fileURLToPath(new URL(`../.cache/plan-schema-${process.pid}.mjs`, import.meta.url));
  const module = await rolldown({ input, platform: 'node', external: [/^node:/, 'zod'] });
  try {
    await module.write({ file, format: 'esm' });
    return await import(pathToFileURL(file).href);
  } finally {
    await module.close();
    rmSync(file, { force: true });
  }
}
