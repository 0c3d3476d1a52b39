// npm run bench [-- name…]: every figure with its bar, as ratios measured in one run where the machine matters. Ends with
// status 1 when a bar is missed.

import { benchChildren } from './children.ts';
import { benchCli } from './cli.ts';
import { benchDaemon } from './daemon.ts';
import type { BenchFigure } from './figure.ts';
import { benchFlood } from './flood.ts';
import { benchIngest } from './ingest.ts';
import { benchIntegration } from './integration.ts';
import { benchJournal } from './journal.ts';
import { benchLaunches } from './launches.ts';
import { benchModel } from './model.ts';
import { benchPlan } from './plan.ts';
import { benchPlanRun } from './plan-run.ts';
import { benchRealAgents } from './real-agents.ts';
import { benchRecovery } from './recovery.ts';
import { benchSimulator } from './simulator.ts';
import { benchWake } from './wake.ts';
import { benchWorkspaces } from './workspaces.ts';

const benches: Readonly<Record<string, () => BenchFigure[] | Promise<BenchFigure[]>>> = {
  model: benchModel,
  journal: benchJournal,
  recovery: benchRecovery,
  simulator: benchSimulator,
  ingest: benchIngest,
  flood: benchFlood,
  launches: benchLaunches,
  daemon: benchDaemon,
  workspaces: benchWorkspaces,
  integration: benchIntegration,
  cli: benchCli,
  plan: benchPlan,
  'plan-run': benchPlanRun,
  'real-agents': benchRealAgents,
  children: async () => [...(await benchChildren()), ...(await benchWake())],
};

const wanted = process.argv.slice(2).filter((name) => !name.startsWith('-'));
let missed = 0;
for (const [name, bench] of Object.entries(benches)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  for (const { name: what, value, unit, bar, ok } of await bench()) {
    const digits = value < 10 ? 2 : value < 100 ? 1 : 0;
    console.log(
      `${ok ? ' ' : '✗'} ${what.padEnd(36)} ${value.toFixed(digits).padStart(10)} ${unit.padEnd(14)} ${bar === 'none' ? '' : `bar ${bar}`}`,
    );
    if (!ok) missed += 1;
  }
}
console.log(missed === 0 ? 'every bar is met' : `${missed} bars are missed`);
process.exit(missed === 0 ? 0 : 1);
