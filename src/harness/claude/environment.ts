// What Claude Code gets of the environment that the daemon was started in.

/** What of a daemon's environment an agent may have: how to reach the API. Its credential comes from elsewhere. */
export function claudeEnvironment(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const allowed = passedOn.flatMap((name) => {
    const value = env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(allowed);
}

/** Names that `claudeEnvironment` lets pass. */
export const passedOn: readonly string[] = [
  'ANTHROPIC_BASE_URL',
  'API_TIMEOUT_MS',
  'CLAUDE_CODE_MAX_RETRIES',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'LANG',
  'PATH',
  'TZ',
];
