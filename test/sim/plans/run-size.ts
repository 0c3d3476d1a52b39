// How large the runs of a simulation are and how long its faults last. Most bugs need only a few tasks, and many more of the small
// runs fit into the time there is.

export interface RunSize {
  readonly tasksMin: number;
  readonly tasksMax: number;
  /** Where agents spawn further ones. */
  readonly childTasksMax: number;
  /** The share of seeds with two runs. */
  readonly twoRuns: number;
  /** How many steps the world is faulty for. */
  readonly faultStepsMin: number;
  readonly faultStepsMax: number;
  /** How often a step brings a fault: a kill, a full disk and the like. */
  readonly faultsPerStep: number;
  /** After how many steps to look again whether all has ended. */
  readonly lookEvery: number;
}

const usual: RunSize = {
  tasksMin: 1,
  tasksMax: 20,
  childTasksMax: 6,
  twoRuns: 0.2,
  faultStepsMin: 50,
  faultStepsMax: 1_500,
  faultsPerStep: 0.007,
  lookEvery: 50,
};

const small: RunSize = {
  tasksMin: 2,
  tasksMax: 5,
  childTasksMax: 3,
  twoRuns: 0.1,
  faultStepsMin: 10,
  faultStepsMax: 150,
  faultsPerStep: 0.03,
  lookEvery: 5,
};

export function sizeOf(options: { readonly small?: boolean }): RunSize {
  return options.small === true ? small : usual;
}
