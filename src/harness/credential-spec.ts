// The credentials that a kind of agent needs for its model's service. Names and texts only: no secret is here.

export interface CredentialNeed {
  /** The agent's name, for people. */
  readonly title: string;
  /** The first that is found is used. */
  readonly kinds: readonly CredentialKind[];
  /** How a person gets one, a line each. */
  readonly how: readonly string[];
}

export interface CredentialKind {
  /** The environment variable in which it is found, and in which the agent gets it unless `as` names another. */
  readonly variable: string;
  readonly as?: string;
  readonly words: string;
  /** The prefix of such a secret; empty = it has none. */
  readonly prefix: string;
}

/** The kind that a secret looks like; by default the first. */
export function kindOf({ kinds }: CredentialNeed, secret: string): CredentialKind | undefined {
  return kinds.find(({ prefix }) => prefix !== '' && secret.startsWith(prefix)) ?? kinds[0];
}
