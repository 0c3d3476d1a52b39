// An operating failure: the world did not do what was asked. Branch on `code`, show `message`. Expected results are unions and
// bugs are assertions; everything else is a Fault.

export const faultCodes = [
  'agent_unusable',
  'artifact_corrupt',
  'bad_request',
  'daemon_running',
  'daemon_unreachable',
  'disk_full',
  'git_failed',
  'journal_corrupt',
  'journal_newer',
  'journal_older',
  'key_unusable',
  'launch_failed',
  'not_a_repository',
  'not_found',
  'read_only',
  'setup_failed',
  'stopped',
  'store_closed',
  'store_failed',
  'timed_out',
  'too_busy',
] as const;

export type FaultCode = (typeof faultCodes)[number];

export class Fault extends Error {
  override readonly name = 'Fault';
  readonly code: FaultCode;

  constructor(code: FaultCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}

export function isFault(error: unknown, code?: FaultCode): error is Fault {
  return error instanceof Fault && (code === undefined || error.code === code);
}
