// npm run sim -- [--seeds N] [--seed S] [--tasks N] [--small] [--seconds T]: any number of seeds, from the command line, on all
// cores. A seed that breaks an invariant prints its report and ends the run with status 3.

import { parseArgs } from 'node:util';
import { playSeeds } from './seed-workers.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string' },
    seed: { type: 'string' },
    tasks: { type: 'string' },
    small: { type: 'boolean', default: false },
    seconds: { type: 'string' },
  },
});

const begun = performance.now();
const { seeds, events, steps, kills, broken } = await playSeeds({
  first: Number(values.seed ?? 1),
  seeds: Number(values.seeds ?? (values.seed === undefined ? 1_000 : 1)),
  secondsMax: values.seconds === undefined ? Number.POSITIVE_INFINITY : Number(values.seconds),
  options: { small: values.small, ...(values.tasks === undefined ? {} : { tasksMax: Number(values.tasks) }) },
});
if (broken !== null) {
  console.error(broken.report);
  const asked = `${values.small ? '--small ' : ''}${values.tasks === undefined ? '' : `--tasks ${values.tasks} `}`;
  console.error(
    `\nseed ${broken.seed} breaks an invariant; repeat it with: npm run sim -- ${asked}--seed ${broken.seed}`,
  );
  process.exit(3);
}

const seconds = (performance.now() - begun) / 1_000;
console.log(
  `${seeds} seeds, ${events} events, ${steps} steps, ${kills} kills in ` +
    `${seconds.toFixed(1)} s (${(seeds / seconds).toFixed(0)} seeds/s): no invariant broken`,
);
