// A landing to be killed at one of its steps. Arguments: the compiled sources, then the order and the step as JSON.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [sources, json] = process.argv.slice(2);
const { root, home, order, dieAt } = JSON.parse(json);
const { createLandings } = await import(pathToFileURL(join(sources, 'git/land/land.js')).href);
const landings = createLandings({
  root,
  user: { home, path: process.env.PATH },
  checks: {
    run: async ({ checks }) => checks.map(({ name }) => ({ check: name, passed: true, detail: 'exit 0' })),
  },
  signNote: () => '-----BEGIN SSH SIGNATURE-----\nAAAA\n-----END SSH SIGNATURE-----\n',
  passing(step) {
    process.stdout.write(`${step}\n`);
    if (step === dieAt) process.kill(process.pid, 'SIGKILL');
  },
});
await landings.land(order, new AbortController().signal);
