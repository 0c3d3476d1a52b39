// How a person wants to be called.

export interface NotifySettings {
  readonly bell: boolean;
  readonly desktop: boolean;
  /** Text for a shell, the user's own; null = none. */
  readonly command: string | null;
}
