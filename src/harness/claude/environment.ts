// What Claude Code gets of the environment that the daemon was started in.

/** How to reach the API. Its credential comes from elsewhere. */
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
