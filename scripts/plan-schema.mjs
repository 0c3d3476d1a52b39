// Writes docs/plan.schema.json, by which editors complete and check plan files, from the schema that reads them. With
// --check it only says whether the file is up to date. Needs a build.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

const target = fileURLToPath(new URL('../docs/plan.schema.json', import.meta.url));
const { planFile } = await import('../dist/plan/plan-file.js');

const { $schema, ...schema } = z.toJSONSchema(planFile, { io: 'input', target: 'draft-7' });
// Draft 7: what editors know best.
const titled = { $schema, title: 'A plan of Signalbox (*.plan.yaml)', ...schema };
const text = `${JSON.stringify(titled, null, 2)}\n`;

if (!process.argv.includes('--check')) writeFileSync(target, text);
else if (!existsSync(target) || readFileSync(target, 'utf8') !== text) {
  process.stderr.write('docs/plan.schema.json is out of date: run node scripts/plan-schema.mjs after a build.\n');
  process.exitCode = 1;
}
