// npm run sim -- [--seeds N] [--seed S] [--tasks N] [--small] [--seconds T]: any number of seeds, from the command line.
// The first seed that breaks an invariant prints its story and ends the run with status 3.

import { parseArgs } from 'node:util';
import { simulate } from './simulate.ts';

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    tasks: { type: 'string' },
    small: { type: 'boolean', default: false },
    seconds: { type: 'string' },
  },
});

const size = { small: values.small, ...(values.tasks === undefined ? {} : { tasksMax: Number(values.tasks) }) };
const first = Number(values.seed);
const seeds = values.seeds === '1000' && process.argv.includes('--seed') ? 1 : Number(values.seeds);
const secondsMax = values.seconds === undefined ? Number.POSITIVE_INFINITY : Number(values.seconds);
/** Of the processor, so that as many seeds are played on a busy machine. */
const secondsUsed = (): number => process.cpuUsage().user / 1_000_000;
const totals = { seeds: 0, steps: 0, events: 0, kills: 0 };
const begun = performance.now();

for (let seed = first; seed < first + seeds && secondsUsed() < secondsMax; seed++) {
  const result = await simulate({ seed, ...size, hashes: seed % 50 === 0 });
  totals.seeds += 1;
  totals.steps += result.steps;
  totals.events += result.events;
  totals.kills += result.kills;
  if (result.violations.length > 0) {
    console.error(result.story);
    const asked = `${values.small ? '--small ' : ''}${values.tasks === undefined ? '' : `--tasks ${values.tasks} `}`;
    console.error(`\nseed ${seed} breaks an invariant; repeat it with: npm run sim -- ${asked}--seed ${seed}`);
    process.exit(3);
  }
}

const seconds = (performance.now() - begun) / 1_000;
console.log(
  `${totals.seeds} seeds, ${totals.events} events, ${totals.steps} steps, ${totals.kills} kills in ` +
    `${seconds.toFixed(1)} s (${(totals.seeds / seconds).toFixed(0)} seeds/s): no invariant broken`,
);
