// Starts the launch that it is told on a line of its input, so many times at once, and prints what each start saw.
// node limits-racer.mjs <the compiled src/process> <place> <plain|namespace> <starts at once>
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const [modules, place, kind, count] = process.argv.slice(2);
const load = (name) => import(pathToFileURL(join(modules, name)).href);
const [{ openLaunches }, { namespaceConfine, plainConfine }] = await Promise.all([
  load('launch/launches.js'),
  load('confine.js'),
]);
const launches = openLaunches({
  root: join(place, 'launches'),
  confine: kind === 'plain' ? plainConfine : namespaceConfine,
});
const never = new AbortController().signal;

for await (const launchId of createInterface({ input: process.stdin })) {
  const argv = ['sh', '-c', 'echo ran >>"$1"', 'sh', join(place, `ran-${launchId}`)];
  const spec = { launchId, argv, env: { PATH: process.env.PATH }, cwd: place };
  const seen = await Promise.all(Array.from({ length: Number(count) }, () => launches.start(spec, never)));
  process.stdout.write(`${JSON.stringify(seen)}\n`);
}
