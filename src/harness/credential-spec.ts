// What a kind of agent needs in order to be let in by whoever runs its model. Names and words only: no value is here.

export interface CredentialNeed {
  /** The agent's name, for people. */
  readonly title: string;
  /** The first that is found is the one that counts. */
  readonly kinds: readonly CredentialKind[];
  /** How a person comes by one, a line each. */
  readonly how: readonly string[];
}

export interface CredentialKind {
  /** The variable by which the agent takes it. */
  readonly variable: string;
  readonly words: string;
  /** How such a secret begins; empty = it need not. */
  readonly prefix: string;
}

/** The kind that a secret looks like; the first one where it looks like none. */
export function kindOf({ kinds }: CredentialNeed, secret: string): CredentialKind | undefined {
  return kinds.find(({ prefix }) => prefix !== '' && secret.startsWith(prefix)) ?? kinds[0];
}
