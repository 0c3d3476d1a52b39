// Writes docs/plan.schema.json and docs/config.schema.json, by which editors complete and check these files, from the schemas that
// read them. With --check it only says whether the files are up to date.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { z } from 'zod';

const { planFile } = await imported('plan/file/plan-file.ts');
const { configurationFile } = await imported('configuration/configuration-file.ts');

write('plan.schema.json', 'A plan of Signalbox (*.plan.yaml)', planFile);
write('config.schema.json', 'A configuration of Signalbox (config.yaml)', configurationFile);

function write(name, title, shape) {
  const target = fileURLToPath(new URL(`../docs/${name}`, import.meta.url));
  // Draft 7: what editors know best.
  const { $schema, ...schema } = z.toJSONSchema(shape, { io: 'input', target: 'draft-7' });
  const text = `${JSON.stringify({ $schema, title, ...schema }, null, 2)}\n`;
  if (!process.argv.includes('--check')) writeFileSync(target, text);
  else if (!existsSync(target) || readFileSync(target, 'utf8') !== text) {
    process.stderr.write(`docs/${name} is out of date: run node scripts/plan-schema.mjs.\n`);
    process.exitCode = 1;
  }
}

/** A module of the sources: Node 20 runs no TypeScript. */
async function imported(source) {
  const input = fileURLToPath(new URL(`../src/${source}`, import.meta.url));
  const file = fileURLToPath(new URL(`../.cache/plan-schema-${process.pid}.mjs`, import.meta.url));
  const module = await rolldown({ input, platform: 'node', external: [/^node:/, 'zod'] });
  try {
    await module.write({ file, format: 'esm' });
    return await import(`${pathToFileURL(file).href}?${encodeURIComponent(source)}`);
  } finally {
    await module.close();
    rmSync(file, { force: true });
  }
}
