// What plans in TypeScript import: `import { gate, kind, plan, task, text, z } from 'signalbox'`. Nothing else of the package is public.

export { z } from 'zod';
export type { BudgetOptions, CommonOptions, Duration } from './plan/typed/typed-common.ts';
export { type FieldOptions, type GateOptions, gate } from './plan/typed/typed-gate.ts';
export { type KindValues, kind } from './plan/typed/typed-kind.ts';
export {
  type Input,
  input,
  type LimitOptions,
  type PhaseOptions,
  type PlanOptions,
  plan,
  type TypedPlan,
} from './plan/typed/typed-plan.ts';
export { and, eq, type Holds, type Meaning, ne, or, type Ref, text, type Words } from './plan/typed/typed-refs.ts';
export { type Given, type Task, type TaskOptions, task } from './plan/typed/typed-task.ts';
