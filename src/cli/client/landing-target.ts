// The branch of the user's in which a new run lands: the command line overrides the plan.

import { Fault } from '../../std/fault.ts';
import { type HistoryOptions, type HistoryRequest, landingHistory } from './landing-history.ts';

interface LandingTarget {
  readonly history?: Partial<HistoryRequest> | undefined;
  readonly into?: string | null | undefined;
  readonly moveCheckout?: boolean | undefined;
}

export function landingTarget(
  options: { readonly into?: string; readonly checkout?: boolean } & HistoryOptions,
  plan: LandingTarget = {},
): LandingTarget {
  const into = options.into ?? plan.into ?? null;
  if (options.checkout === true && into === null) {
    throw new Fault('bad_request', '--checkout is for a branch: name it with --into <branch>');
  }
  const how = landingHistory(options, plan.history);
  return { into, moveCheckout: options.checkout ?? plan.moveCheckout ?? false, ...how };
}
