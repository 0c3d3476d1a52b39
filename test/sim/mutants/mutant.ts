// One small change to the compiled sources that breaks a promise.

export interface Mutant {
  readonly name: string;
  /** Below src/, compiled. */
  readonly file: string;
  readonly find: string;
  readonly put: string;
}
